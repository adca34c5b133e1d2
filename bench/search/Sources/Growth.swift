// Longbox
// SPDX-License-Identifier: MIT

/// Generates more comics with the same statistics, to see how search scales.
///
/// The real comics come first. Each further text has the length of a random one and random words of that
/// field. A word that only one comic has becomes a new one, since new texts bring new words. Seeded, so the
/// result is always the same.
struct Growth {
  private let originals: [Document]
  private var titles: Pool
  private var alts: Pool
  private var transcripts: Pool
  private var dice: SeededDice

  init(_ originals: [Document], seed: UInt64) {
    self.originals = originals
    titles = Pool(originals.map(\.title))
    alts = Pool(originals.map(\.alt))
    transcripts = Pool(originals.map(\.transcript))
    dice = SeededDice(state: seed)
  }

  /// The originals and `copies` - 1 sets of generated comics.
  mutating func documents(copies: Int) -> [Document] {
    var documents = originals
    documents.reserveCapacity(originals.count * copies)
    let span = (originals.last?.number ?? 0) + 1
    for copy in 1..<max(copies, 1) {
      for original in originals {
        var document = original
        document.number += copy * span
        document.title = titles.text(copy: copy, &dice)
        document.alt = alts.text(copy: copy, &dice)
        document.transcript = transcripts.text(copy: copy, &dice)
        document.explanation = ""
        documents.append(document)
      }
    }
    return documents
  }
}

/// The words and lengths of one field over all comics.
private struct Pool {
  private var words: [Substring] = []
  private var lengths: [Int] = []
  private var counts: [Substring: Int] = [:]

  init(_ texts: [String]) {
    for text in texts {
      let words = text.split(whereSeparator: \.isWhitespace)
      lengths.append(words.count)
      self.words += words
    }
    for word in words { counts[word, default: 0] += 1 }
  }

  func text(copy: Int, _ dice: inout SeededDice) -> String {
    guard !words.isEmpty else { return "" }
    var text = ""
    for _ in 0..<lengths[dice.below(lengths.count)] {
      let word = words[dice.below(words.count)]
      if !text.isEmpty { text += " " }
      text += word
      if counts[word] == 1, word.last?.isLetter ?? false { text += Self.ending(copy) }
    }
    return text
  }

  /// The number of a copy as letters.
  private static func ending(_ copy: Int) -> String {
    String(copy, radix: 26).utf8.map { byte in
      String(UnicodeScalar(byte < 0x3A ? byte - 0x30 + 0x61 : byte - 0x61 + 0x6B))
    }.joined()
  }
}

/// SplitMix64, a seeded random number generator.
struct SeededDice {
  var state: UInt64

  mutating func below(_ limit: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((mixed ^ (mixed >> 31)).multipliedFullWidth(by: UInt64(limit)).high)
  }
}
