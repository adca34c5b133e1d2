// Longbox
// SPDX-License-Identifier: MIT

/// The code byte of each part, and the fields that follow it.
enum WikiCode {
  static var close: UInt8 { 0x00 }
  /// A length and that many bytes of UTF-8.
  static var text: UInt8 { 0x01 }
  static var lineBreak: UInt8 { 0x02 }
  static var rule: UInt8 { 0x03 }
  /// The number of a note.
  static var reference: UInt8 { 0x04 }
  /// The level.
  static var heading: UInt8 { 0x05 }
  /// Columns and rows.
  static var headerCell: UInt8 { 0x06 }
  /// Columns and rows.
  static var cell: UInt8 { 0x07 }
  /// The number of a comic.
  static var comic: UInt8 { 0x08 }
  /// A length and that many bytes of an address.
  static var address: UInt8 { 0x09 }
  /// A length and that many bytes of an anchor's name.
  static var anchor: UInt8 { 0x0A }
  /// The first of ``plain``.
  static var firstPlain: UInt8 { 0x10 }

  /// The elements without fields, in order of their codes.
  static let plain: [WikiElement] = [
    .paragraph, .bulletList, .numberedList, .item, .definitionList, .term, .definition, .indent,
    .preformatted,
    .quotation, .table, .caption, .row, .notes, .note, .emphasis, .strong, .underlined, .struck, .small,
    .code,
    .lowered, .raised, .mark,
  ]

  /// The maximum columns or rows of a cell.
  static var spanLimit: Int { 1000 }

  /// Whether an address is a valid link: http or https, a host, and no byte that ends an address.
  static func isAddress(_ address: ArraySlice<UInt8>) -> Bool {
    guard address.count <= 2048, address.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { return false }
    for scheme in [("https://" as StaticString).utf8Bytes, ("http://" as StaticString).utf8Bytes] {
      if address.count > scheme.count, address.starts(with: scheme) { return true }
    }
    return false
  }
}
