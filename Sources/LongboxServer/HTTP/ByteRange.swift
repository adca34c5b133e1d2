// Longbox
// SPDX-License-Identifier: MIT

/// The requested range of a file (RFC 9110, section 14).
enum ByteRange: Equatable {
  /// The whole file: no range, or one that may be ignored (several ranges, other units).
  case whole
  case part(Range<Int>)
  /// A range outside the file.
  case unsatisfiable

  /// Parses a `Range` header.
  /// - Parameters:
  ///   - header: the header's value.
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

  /// Parses a number of at most fifteen digits, to avoid overflow.
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
