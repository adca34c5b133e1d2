// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// Where a reader's comics come from: this machine's data folder, or another Longbox.
protocol ComicSource: Sendable {
  /// All comics' text.
  func archive() async throws -> Archive
  /// Answers a question.
  func results(for question: SearchQuestion) async throws -> SearchResults
  /// A comic's explanation; nil if there is none.
  func explanation(of number: Comic.Number) async throws -> ComicExplanation?
  /// The file of a comic's picture; nil if there is none.
  func picture(of number: Comic.Number, doubleSize: Bool) async throws -> [UInt8]?
}

extension ComicSource {
  /// A comic.
  /// - Throws: `ReaderError.missing` if it is not there.
  func comic(_ number: Comic.Number) async throws -> ArchivedComic {
    let archive = try await archive()
    if let comic = archive.comic(number) { return comic }
    let latest = try Self.latest(in: archive).number
    throw ReaderError.missing(
      number > latest
        ? "There is no comic \(number.value) yet: the latest here is \(latest.value)."
        : "Comic \(number.value) is not stored yet: “longbox serve” fetches it."
    )
  }

  /// The newest comic.
  static func latest(in archive: Archive) throws -> ArchivedComic {
    guard let latest = archive.latest else {
      throw ReaderError.missing("No comic is stored yet: start “longbox serve” or “longbox import” first.")
    }
    return latest
  }
}

/// An explanation from explain xkcd, as text.
struct ComicExplanation: Codable, Equatable {
  var number: Int
  var lead: String?
  var text: String
  var date: String?
  var incomplete: Bool
  /// The wiki's page and licence; nil for samples.
  var source: String?
  var licence: String?
}
