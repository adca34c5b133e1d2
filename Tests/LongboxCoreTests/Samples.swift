// Longbox
// SPDX-License-Identifier: MIT

import TestSupport

@testable import LongboxCore

/// Made-up comics with the irregularities of real ones.
enum Samples {
  private static let words: [String] = [
    "map", "Dalí", "<BOOM>", "D&D", "\u{202E}RTL", "😀", "\u{FFFD}", "π", "\"quote\"", "entropy", "",
    "a\u{2009}b",
  ]

  static func comics(count: Int, seed: UInt64) throws -> [Comic] {
    try comics(numbers: (1...(count + 1)).filter { $0 != 404 }.prefix(count).map { $0 }, seed: seed)
  }

  static func comics(numbers: [Int], seed: UInt64) throws -> [Comic] {
    var random = SeededGenerator(seed: seed)
    return numbers.compactMap { value in
      guard
        let number = Comic.Number(value),
        let date = CalendarDate(
          year: 2006 + value / 160,
          month: Int.random(in: 1...12, using: &random),
          day: Int.random(in: 1...28, using: &random)
        )
      else { return nil }
      var comic = Comic(number: number, date: date)
      comic.title = text(of: 1...3, using: &random)
      comic.alt = text(of: 0...30, using: &random)
      comic.transcript = text(of: 0...60, using: &random)
      comic.pictureAddress = text(of: 0...1, using: &random)
      comic.link = text(of: 0...1, using: &random)
      comic.news = News([
        News.Run(text(of: 0...4, using: &random)), News.Run("here", address: "https://example.org/"),
      ])
      comic.isInteractive = Bool.random(using: &random)
      if Bool.random(using: &random) {
        comic.picture = PictureFacts(
          width: Int.random(in: 1...2599, using: &random),
          height: Int.random(in: 1...14957, using: &random),
          byteCount: Int.random(in: 67...900_000, using: &random),
          frames: Int.random(in: 1...271, using: &random),
          format: [.png, .jpeg, .gif].randomElement(using: &random) ?? .png,
          isTransparent: Bool.random(using: &random),
          colourPermille: Int.random(in: 0...1000, using: &random),
          lightness: Int.random(in: 0...255, using: &random),
          doubleSize: [.unknown, .absent, .present].randomElement(using: &random) ?? .unknown,
          larger: [.unknown, .absent, .present, .tooLarge].randomElement(using: &random) ?? .unknown,
          version: UInt32.random(in: 0...UInt32.max, using: &random)
        )
      }
      return comic
    }
  }

  static func bytes(of comics: [Comic], revision: Int = 1, base: Int = 0) throws -> [UInt8] {
    var writer = SegmentWriter()
    for comic in comics { try writer.append(comic) }
    return try writer.finish(.init(revision: revision, base: base))
  }

  private static func text(of count: ClosedRange<Int>, using random: inout SeededGenerator) -> Text {
    let count = Int.random(in: count, using: &random)
    return Text(
      string: (0..<count).map { _ in words.randomElement(using: &random) ?? "" }.joined(separator: " ")
    )
  }
}

extension Archive {
  var comics: [Comic] {
    var all: [Comic] = []
    visit { archived in
      if let comic = archived.comic { all.append(comic) }
      return true
    }
    return all
  }
}
