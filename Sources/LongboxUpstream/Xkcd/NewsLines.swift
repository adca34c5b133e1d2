// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// Joins runs of words as a browser does: white space becomes one space, or none at the ends of a line.
struct NewsLines {
  private enum Gap {
    case none
    case space
    case line
  }

  /// Superscript digits, so that `10<sup>7</sup>` stays ten to the seventh without markup (1047).
  private static let raisedDigits: [Unicode.Scalar] = ["⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"]

  private(set) var runs: [News.Run] = []
  private var gap = Gap.none

  /// Adds words.
  /// - Parameters:
  ///   - text: the words; control characters are left out.
  ///   - address: the address that they link to, or empty.
  ///   - isRaised: whether digits become superscript.
  mutating func append(_ text: String, address: Text, isRaised: Bool) {
    var words = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if scalar == " " || ("\t"..."\r").contains(scalar) {
        if !words.isEmpty { add(words, address) }
        words.removeAll()
        if gap == .none { gap = .space }
      } else if scalar.properties.generalCategory != .control {
        let isDigit = ("0"..."9").contains(scalar)
        words.append(isRaised && isDigit ? Self.raisedDigits[Int(scalar.value) - 0x30] : scalar)
      }
    }
    if !words.isEmpty { add(words, address) }
  }

  mutating func endLine() {
    gap = .line
  }

  private mutating func add(_ words: String.UnicodeScalarView, _ address: Text) {
    let separator: Text =
      switch gap {
      case _ where runs.isEmpty: .empty
      case .none: .empty
      case .space: " "
      case .line: "\n"
      }
    gap = .none
    let words = Text(string: String(words))
    guard let last = runs.last else {
      runs = [News.Run(words, address: address)]
      return
    }
    if last.address == address {
      runs[runs.count - 1].words = last.words + separator + words
    } else if last.address.isEmpty {
      runs[runs.count - 1].words = last.words + separator
      runs.append(News.Run(words, address: address))
    } else if address.isEmpty || separator.isEmpty {
      runs.append(News.Run(separator + words, address: address))
    } else {
      // A space between two links belongs to neither.
      runs.append(News.Run(separator))
      runs.append(News.Run(words, address: address))
    }
  }
}
