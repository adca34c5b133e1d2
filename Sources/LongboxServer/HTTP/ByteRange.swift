// Longbox
// SPDX-License-Identifier: MIT

/// The part of a file that a reader asks for (RFC 9110, section 14).
enum ByteRange: Equatable {
  /// All of it: nothing was asked for, or something that need not be understood (several ranges, other units).
  case whole
  /// These bytes.
  case part(Range<Int>)
  /// A part that the file does not have.
  case unsatisfiable

  /// Reads a `Range` header.
  /// - Parameters:
  ///   - header: its value, or nothing.
  ///   - count: the file's length in bytes.
  init(_ header: String?, of count: Int) {
    guard let header, let spec = header.split(separator: "=", maxSplits: 1).map({ $0 }).asPair,
      spec.0 == "bytes"
    else {
      self = .whole
      return
    }
    let bounds = spec.1.split(separator: "-", omittingEmptySubsequences: false)
    guard bounds.count == 2, !(bounds[0].isEmpty && bounds[1].isEmpty) else {
      self = .whole
      return
    }
    let first = Self.number(bounds[0])
    let last = Self.number(bounds[1])
    guard bounds[0].isEmpty || first != nil, bounds[1].isEmpty || last != nil else {
      self = .whole
      return
    }
    switch (first, last) {
    case (nil, let suffix?):
      self = suffix == 0 || count == 0 ? .unsatisfiable : .part(max(0, count - suffix)..<count)
    case (let first?, let last?) where last < first: self = .whole
    case (let first?, _) where first >= count: self = .unsatisfiable
    case (let first?, let last): self = .part(first..<min(count, (last ?? count - 1) + 1))
    case (nil, nil): self = .whole
    }
  }

  /// A number of at most fifteen digits, so that nothing overflows.
  private static func number(_ text: Substring) -> Int? {
    guard !text.isEmpty, text.count <= 15, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    return Int(text)
  }
}

extension [Substring] {
  fileprivate var asPair: (Substring, Substring)? { count == 2 ? (self[0], self[1]) : nil }
}
