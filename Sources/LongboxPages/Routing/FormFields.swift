// Longbox
// SPDX-License-Identifier: MIT

package import LongboxCore

/// The fields of a form or a query, encoded as `application/x-www-form-urlencoded` (URL Standard, section 5.1).
package struct FormFields {
  /// The most fields that are looked at; our forms have fewer than ten.
  private static let most = 64

  private let encoded: Text

  /// Reads fields.
  package init(_ encoded: Text) {
    self.encoded = encoded
  }

  /// The value of the first field with a name, decoded, or nothing where there is no such field.
  package subscript(name: Text) -> Text? {
    for pair in encoded.bytes.split(separator: UInt8(ascii: "&"), maxSplits: Self.most) {
      let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard let key = parts.first, FormEncoding.decode(key) == name else { continue }
      return parts.count > 1 ? FormEncoding.decode(parts[1]) : .empty
    }
    return nil
  }

  /// All fields in their order, decoded.
  package var all: [(name: Text, value: Text)] {
    encoded.bytes.split(separator: UInt8(ascii: "&"), maxSplits: Self.most).map { pair in
      let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      return (FormEncoding.decode(parts[0]), parts.count > 1 ? FormEncoding.decode(parts[1]) : .empty)
    }
  }

  /// The comic that a field names, or nothing.
  func comic(_ name: Text) -> Comic.Number? {
    self[name]?.number.flatMap { Comic.Number($0) }
  }
}
