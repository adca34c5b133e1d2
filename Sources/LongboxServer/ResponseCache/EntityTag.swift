// Longbox
// SPDX-License-Identifier: MIT

import HTTPTypes

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
