// Longbox
// SPDX-License-Identifier: MIT

package import LongboxCore

/// The fields of a form or a query, as `application/x-www-form-urlencoded` (URL Standard, section 5.1).
package struct FormFields {
  /// The maximum number of fields to parse; our forms have fewer than ten.
  private static let most = 64

  private let encoded: Text

  package init(_ encoded: Text) {
    self.encoded = encoded
  }

  /// The decoded value of the first field with a name; nil if there is none.
  package subscript(name: Text) -> Text? {
    for pair in encoded.bytes.split(separator: UInt8(ascii: "&"), maxSplits: Self.most) {
      let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard let key = parts.first, FormEncoding.decode(key) == name else { continue }
      return parts.count > 1 ? FormEncoding.decode(parts[1]) : .empty
    }
    return nil
  }

  /// All decoded fields, in order.
  package var all: [(name: Text, value: Text)] {
    encoded.bytes.split(separator: UInt8(ascii: "&"), maxSplits: Self.most).map { pair in
      let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      return (FormEncoding.decode(parts[0]), parts.count > 1 ? FormEncoding.decode(parts[1]) : .empty)
    }
  }

  /// The comic numbers in all fields of a name, however many there are.
  func comics(_ name: Text) -> [Comic.Number] {
    encoded.bytes.split(separator: UInt8(ascii: "&")).compactMap { pair in
      let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1)
      guard parts.count == 2, Text(parts[0]) == name else { return nil }
      return Text(parts[1]).number.flatMap { Comic.Number($0) }
    }
  }

  /// The comic number in a field; nil if missing or invalid.
  func comic(_ name: Text) -> Comic.Number? {
    self[name]?.number.flatMap { Comic.Number($0) }
  }
}
