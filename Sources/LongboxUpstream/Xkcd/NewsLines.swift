// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// Puts runs of words together as a browser would: white space is one space, and none stands at the ends of a line.
struct NewsLines {
  /// What stands between the last word and the next.
  private enum Gap {
    case none
    case space
    case line
  }

  /// The small digits, by which `10<sup>7</sup>` stays ten to the seventh without markup (1047).
  private static let raisedDigits: [Unicode.Scalar] = ["⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"]

  /// The runs so far.
  private(set) var runs: [News.Run] = []
  private var gap = Gap.none

  /// Adds words.
  /// - Parameters:
  ///   - text: the words; control characters in them are left out.
  ///   - address: where they lead, or empty.
  ///   - isRaised: whether digits are written small and high.
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

  /// Ends the line, if anything stands on it.
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
