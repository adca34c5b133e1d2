// Longbox
// SPDX-License-Identifier: MIT

import ArgumentParser
import Foundation
import LongboxCatalog
import LongboxCore
import LongboxPages
import LongboxStore

struct SearchComics: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "search",
    abstract: "Find comics by their words, number or date.",
    discussion: """
      Looks into titles, alt texts, transcripts and explanations of what is stored, the best matches first, also those that have \
      only most of the words; --no-deep looks for titles that have all of them. Words in quotation marks must be in this order. \
      Works beside a running server, and with no connection. is:favorite and is:read go by your library as of your last command. Exits with 0 where something was found, \
      with 1 where nothing was.

        longbox search bobby tables
        longbox search '"import antigravity"'
        longbox search --no-deep python
        longbox search xkcd 303
        longbox search 2012-12
        longbox search 420-425
        longbox search python -- -perl
        longbox search is:album harvest

      With is:album it looks for albums instead: among those that you have saved, and without --server also among those \
      that readers of this machine's Longbox have opened. The other filters are is:favorite, is:unread, is:read and \
      is:interactive.
      """
  )

  @Argument(help: "What to look for.")
  var words: [String]

  @Flag(inversion: .prefixedNo, help: "Look into all texts, not only into titles.")
  var deep = true

  @Option(help: "The most comics to print.")
  var limit = 10

  @OptionGroup var reader: ReaderOptions

  func validate() throws {
    guard (1...1000).contains(limit) else { throw ValidationError("--limit must be between 1 and 1000.") }
  }

  func run() async throws {
    try await reportingErrors {
      let context = try await ReaderContext(reader)
      let text = Text(string: words.joined(separator: " "))
      if let words = SavedAlbum.words(in: text) {
        let albums = try await albums(having: words, context)
        let report = AlbumReport(albums, limit: limit)
        try show(report, lines: report.lines, context)
        if report.total == 0 { throw ExitCode(1) }
        return
      }
      for filter in SearchFilters.unknown(in: text, isTyping: false) {
        let known = SearchFilters.names(on: Site()).map(\.description).joined(separator: ", ")
        Console.remark("There is no filter “\(filter)”. There are \(known).")
      }
      let source = try await context.comics()
      let archive = try await source.archive()
      var question = SearchQuestion(text: text, isDeep: deep, limit: limit)
      if let library = try? context.library.kept(), let latest = archive.latest?.number {
        let marks = library.readMarks
        question.favorites = ComicSet(upTo: latest, library.favorites.map { $0.comic })
        question.read = ComicSet(upTo: latest) { marks.isRead($0) }
      }
      let report = SearchReport(try await source.results(for: question), in: archive)
      try show(report, lines: report.lines, context)
      if report.total == 0 { throw ExitCode(1) }
    }
  }

  /// The albums in the reader's library first, then further ones that this machine's server has.
  private func albums(having words: Text, _ context: ReaderContext) async throws -> [SavedAlbum] {
    let saved = (try? context.library.kept().savedAlbums) ?? []
    var albums = saved.filter { $0.has(words) }
    guard context.server == nil else { return albums }
    let opened = try await StoredAlbums(Store.openReading(context.store)).albums(having: words)
    albums += opened.filter { album in !albums.contains { $0.id == album.id } }
    return albums
  }

  private func show(_ report: some Encodable, lines: [String], _ context: ReaderContext) throws {
    if reader.json { return try context.console.writeJSON(report) }
    for line in lines { context.console.writeEntry(line) }
  }
}

struct SearchReport: Encodable {
  struct Hit: Encodable {
    var number: Int
    var title: String
    var date: String?
    /// The text that contains the words: title, alt, transcript or explanation.
    var field: String
    /// The text around the words, unless only the title has them.
    var snippet: String
    /// The text that the snippet is from.
    var snippetField: String
  }

  let total: Int
  let didYouMean: String?
  let hits: [Hit]
  private let showsMeant: Bool
  private let withoutQuotes: String?

  private enum CodingKeys: CodingKey {
    case total, didYouMean, hits
  }

  init(_ results: SearchResults, in archive: Archive) {
    total = results.total
    didYouMean = results.didYouMean?.description
    showsMeant = results.showsMeant
    withoutQuotes = results.withoutQuotes?.description
    hits = results.hits.compactMap { hit in
      archive.comic(hit.number).map { comic in
        Hit(
          number: hit.number.value,
          title: comic.title.description,
          date: comic.date?.iso8601.description,
          field: "\(hit.field)",
          snippet: "\(hit.isCutBefore ? "… " : "")\(hit.snippet)\(hit.isCutAfter ? " …" : "")",
          snippetField: "\(hit.snippetField)"
        )
      }
    }
  }

  /// A line for each comic and its snippet, and one with the total.
  var lines: [String] {
    var lines = hits.flatMap { hit in
      ["#\(hit.number) \(hit.title)\(hit.date.map { " (\($0))" } ?? "")"]
        + (hit.snippet.isEmpty
          ? []
          : [
            "    \(hit.snippetField): \(hit.snippet.split(whereSeparator: \.isNewline).joined(separator: " / "))"
          ])
    }
    if let didYouMean {
      lines.append(showsMeant ? "These are for: \(didYouMean)" : "Did you mean: \(didYouMean)")
    }
    switch total {
    case 0:
      lines.append("No comics.")
      if let withoutQuotes { lines.append("No comic has these words in this order; try: \(withoutQuotes)") }
    case 1: lines.append("1 comic.")
    case hits.count: lines.append("\(total) comics.")
    default: lines.append("\(total) comics, of which \(hits.count) are shown; --limit shows more.")
    }
    return lines
  }
}
