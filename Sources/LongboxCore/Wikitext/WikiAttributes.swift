// Longbox
// SPDX-License-Identifier: MIT

/// The attributes of tags and table cells.
enum WikiAttributes {
  /// The value of an attribute, quoted or not, or empty.
  static func value(of name: StaticString, in attributes: ArraySlice<UInt8>) -> [UInt8] {
    guard let start = attributes.firstIndex(of: name.utf8Bytes, from: attributes.startIndex) else {
      return []
    }
    var rest = attributes[(start + name.utf8CodeUnitCount)...].drop { $0.isASCIISpace }
    guard rest.first == UInt8(ascii: "=") else { return [] }
    rest = rest.dropFirst().drop { $0.isASCIISpace }
    guard let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      return Array(rest.prefix { !$0.isASCIISpace })
    }
    return Array(rest.dropFirst().prefix { $0 != quote })
  }
}
