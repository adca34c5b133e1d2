// Longbox
// SPDX-License-Identifier: MIT

import ArgumentParser
import LongboxCatalog
import LongboxCore

struct Quiz: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Play a quiz about an album in the terminal.",
    discussion: """
      “tracks” asks for all songs, in any order: type a title and press Return. “next” asks which song comes after another. An \
      empty line gives a hint, “?” shows what is found, “.” gives up. The result is kept in your library. Ctrl-C ends the quiz \
      without one.

        longbox quiz 1440857781
        longbox quiz 1440857781 --kind next

      Without a number it asks about one of your saved albums.
      """
  )

  enum Kind: String, CaseIterable, ExpressibleByArgument {
    case tracks, next
  }

  @Argument(help: ArgumentHelp("The number of an album.", valueName: "album"))
  var album: AlbumNumber?

  @Option(help: "What is asked: tracks or next.")
  var kind = Kind.tracks

  @OptionGroup var country: CountryOption
  @OptionGroup var reader: ReaderOptions

  func run() async throws {
    try await reportingErrors {
      let context = try await ReaderContext(reader)
      var (id, store) = (album?.id, country.country)
      if id == nil {
        let saved = try await context.library.current().savedAlbums.randomElement()
        (id, store) = (saved?.id, saved?.country)
      }
      guard let id else {
        throw ReaderError.usage(
          "You have no saved album. Give the number of one: “longbox albums search” finds it."
        )
      }
      let details = try await context.albums(reader).album(id, in: store)
      let subject = QuizAlbum(
        id: id.text,
        name: Text(string: details.album.name),
        titles: details.tracks.map { Text(string: $0.title) }
      )
      guard !subject.titles.isEmpty else {
        throw ReaderError.missing("The store lists no songs of this album.")
      }
      var round = QuizRound(console: context.console, now: context.now)
      let result: QuizResult?
      do {
        switch kind {
        case .tracks: result = try round.playTracks(subject)
        case .next: result = try round.playNext(subject, seed: .random(in: 0...UInt64.max))
        }
      } catch is QuizError {
        throw ReaderError.missing("This album has too few songs for this quiz.")
      }
      guard let result else { throw ReaderError.usage("The input ended before the quiz. Nothing was kept.") }
      let now = context.now()
      try await context.library.edit { replica in
        try replica.library.record(result, at: replica.editTime(at: now))
      }
      if reader.json { return try context.console.writeJSON(QuizReport(result)) }
      context.console.write()
      context.console.writeText(result.shareText.description)
    }
  }
}

/// A quiz's result as JSON; docs/cli.md describes it.
struct QuizReport: Encodable {
  var album: String
  var kind: String
  var total: Int
  var right: Int
  var helped: Int
  var milliseconds: UInt64

  init(_ result: QuizResult) {
    album = result.subject.description
    kind = result.kind.word.description
    total = result.total
    right = result.right
    helped = result.helped
    milliseconds = result.milliseconds
  }
}
