// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird
import LongboxCore
import LongboxPages
import LongboxStore

/// An entity tag (RFC 9110, sections 8.8.3 and 13.1).
struct EntityTag: Equatable, Sendable {
  /// The text between the quotes, without quotes and control characters.
  let value: String

  /// The tag as a header carries it.
  var header: String { "\"\(value)\"" }

  /// Whether a client with this `If-None-Match` has the content already.
  ///
  /// The comparison is weak, as the RFC requires.
  func matches(ifNoneMatch field: String?) -> Bool {
    guard let field else { return false }
    return field.split(separator: ",").contains { candidate in
      var tag = candidate.drop { $0 == " " || $0 == "\t" }
      while tag.last == " " || tag.last == "\t" { tag.removeLast() }
      if tag.hasPrefix("W/") { tag = tag.dropFirst(2) }
      return tag == "*" || tag == header
    }
  }
}

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

extension Date {
  /// The date for a header field, such as `Sat, 21 Nov 2026 10:56:45 GMT` (RFC 9110, section 5.6.7).
  var inHeader: String {
    HTTPDate(seconds: Int64(within: timeIntervalSince1970.rounded(.down))).text.description
  }
}

extension Request {
  /// Whether the page is prefetched, and possibly never viewed.
  ///
  /// Our scripts send `Purpose`, browsers send `Sec-Purpose` (Fetch Standard).
  var isPrefetch: Bool {
    ["Purpose", "Sec-Purpose"].contains { name in
      HTTPField.Name(name).flatMap { headers[$0] }?.hasPrefix("prefetch") ?? false
    }
  }
}

extension Hummingbird.Response {
  /// Redirects to a page after a form: 303, which is not stored.
  static func seeOther(_ link: Link, fragment: String = "") -> Hummingbird.Response {
    Hummingbird.Response(
      status: .seeOther,
      headers: [.location: link.address.description + fragment, .cacheControl: "no-store"]
    )
  }
}
