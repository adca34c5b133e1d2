// Longbox
// SPDX-License-Identifier: MIT

import ArgumentParser
import Foundation
import LongboxCatalog
import LongboxCore
import LongboxStore

struct Find: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "search",
    abstract: "Find comics by their words, number or date.",
    discussion: """
      Looks into titles, alt texts, transcripts and explanations of what is stored; works beside a running server, and with no \
      connection. Exits with 0 where something was found, with 1 where nothing was.

        longbox search bobby tables
        longbox search '"import antigravity"'
        longbox search 2012-12
        longbox search 420-425
        longbox search python -- -perl
        longbox search is:album harvest

      With is:album it looks for albums instead: among those that readers of this server have opened.
      """
  )

  @Argument(help: "What to look for.")
  var words: [String]

  @Flag(inversion: .prefixedNo, help: "Look into all texts, not only into titles.")
  var deep = true

  @Option(help: "The most comics to print.")
  var limit = 10

  @Flag(help: "Print JSON instead of lines.")
  var json = false

  @OptionGroup var options: Options

  func validate() throws {
    guard (1...1000).contains(limit) else { throw ValidationError("--limit must be between 1 and 1000.") }
  }

  func run() async throws {
    try await reportingErrors {
      let settings = try await Settings.read(options)
      let store = try Store.openReading(settings.data)
      let text = Text(string: words.joined(separator: " "))
      if let words = SavedAlbum.words(in: text) {
        let albums = try await StoredAlbums(store).albums(having: words)
        let report = AlbumReport(albums, limit: limit)
        print(json ? try report.json() : report.lines)
        if report.total == 0 { throw ExitCode(1) }
        return
      }
      let search = try await StoredSearch(store)
      let question = SearchQuestion(text: text, isDeep: deep, limit: limit)
      let report = FindReport(try await search.results(for: question), in: search.archive)
      print(json ? try report.json() : report.lines)
      if report.total == 0 { throw ExitCode(1) }
    }
  }
}
