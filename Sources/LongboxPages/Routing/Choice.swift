// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// The comic chosen by a typed number.
enum Choice: Equatable {
  /// An existing comic.
  case number(Comic.Number)
  /// 404, the number that xkcd skipped.
  case missing(latest: Comic.Number)
  /// No comic, with the reason.
  case rejected(Problem)
  /// No comic, because none is known yet.
  case nothingKnown

  /// Why the input chooses no comic.
  enum Problem: Equatable {
    case empty
    case notANumber
    case belowFirst
    case aboveLatest(Comic.Number)

    /// The HTTP status: 400 if the input isn't a number, 404 if the comic doesn't exist.
    var status: Int {
      switch self {
      case .empty, .notANumber: 400
      case .belowFirst, .aboveLatest: 404
      }
    }
  }

  init(_ typed: Text, latest: Comic.Number?) {
    guard let latest else {
      self = .nothingKnown
      return
    }
    var digits = typed.bytes
    if digits.first == UInt8(ascii: "#") { digits = digits.dropFirst() }
    let isNegative = digits.first == UInt8(ascii: "-")
    if isNegative { digits = digits.dropFirst() }
    guard !digits.isEmpty else {
      self = .rejected(typed.isEmpty ? .empty : .notANumber)
      return
    }
    guard digits.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }) else {
      self = .rejected(.notANumber)
      return
    }
    let significant = Text(digits.drop { $0 == UInt8(ascii: "0") })
    let value = significant.isEmpty ? 0 : significant.number ?? Int(Int32.max)
    if isNegative || value < 1 {
      self = .rejected(.belowFirst)
    } else if value == 404 {
      self = .missing(latest: latest)
    } else if let number = Comic.Number(value), number <= latest {
      self = .number(number)
    } else {
      self = .rejected(.aboveLatest(latest))
    }
  }
}
