// Longbox
// SPDX-License-Identifier: MIT

/// A wiki text ready for rendering: a sequence of parts in a compact binary form that is read in place.
///
/// A part is a code byte and its fields (see `WikiCode`). Numbers are LEB128, texts a length and UTF-8.
public struct WikiDocument: Equatable, Sendable {
  /// The parts in their binary form; explain xkcd's longest page takes about 350,000 bytes.
  public let bytes: [UInt8]

  /// Creates a document from parts that a ``WikiDocumentWriter`` wrote.
  init(parts: [UInt8]) {
    bytes = parts
  }

  public var parts: WikiParts { WikiParts(bytes) }
}

/// The type of a part of a ``WikiDocument``: a block or a run of text.
public enum WikiElement: Equatable, Sendable {
  case paragraph
  /// A heading; level 2 is a section of the page, 3 to 6 are below it.
  case heading(level: Int)
  case bulletList
  case numberedList
  /// An item of either list.
  case item
  case definitionList
  case term
  case definition
  /// Indented lines, from the wiki's `:`.
  case indent
  case preformatted
  case quotation
  case table
  case caption
  case row
  /// A header cell, with the number of columns and rows that it spans.
  case headerCell(columns: Int, rows: Int)
  /// A cell, with the number of columns and rows that it spans.
  case cell(columns: Int, rows: Int)
  /// The notes to a text, in order of their numbers.
  case notes
  case note

  /// Emphasis, by `''`.
  case emphasis
  /// Strong emphasis, by `'''`.
  case strong
  case underlined
  case struck
  /// Small text, an aside.
  case small
  case code
  /// Subscript.
  case lowered
  /// Superscript.
  case raised
  /// An editors' remark, such as "citation needed", which is not part of the text.
  case mark
  /// A link to a comic by its number; includes 404, which doesn't exist.
  case comic(Int)
  /// A link to an http or https address.
  case address(Text)
  /// A link to a heading of this page by its text, or to another anchor by its name.
  case anchor(Text)
}

/// A step of iterating over a ``WikiDocument``.
public enum WikiPart: Equatable, Sendable {
  /// An element begins.
  case open(WikiElement)
  /// The innermost element ends.
  case close
  /// Text of the innermost element.
  case text(Text)
  /// A line break within a paragraph.
  case lineBreak
  /// A horizontal rule.
  case rule
  /// The mark of a note, with the note's number.
  case reference(Int)
}

/// Iterates over the parts of a document, in place.
public struct WikiParts: Sequence, IteratorProtocol, Sendable {
  private let bytes: [UInt8]
  private var offset = 0

  /// Creates an iterator over parts that a ``WikiDocumentWriter`` wrote.
  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The next part, or nil at the end.
  public mutating func next() -> WikiPart? {
    guard offset < bytes.count else { return nil }
    let code = bytes[offset]
    offset += 1
    switch code {
    case WikiCode.close: return .close
    case WikiCode.text: return .text(text())
    case WikiCode.lineBreak: return .lineBreak
    case WikiCode.rule: return .rule
    case WikiCode.reference: return .reference(number())
    default: return .open(element(code))
    }
  }

  private mutating func element(_ code: UInt8) -> WikiElement {
    switch code {
    case WikiCode.heading: .heading(level: number())
    case WikiCode.headerCell: .headerCell(columns: number(), rows: number())
    case WikiCode.cell: .cell(columns: number(), rows: number())
    case WikiCode.comic: .comic(number())
    case WikiCode.address: .address(text())
    case WikiCode.anchor: .anchor(text())
    default: WikiCode.plain[Int(code - WikiCode.firstPlain)]
    }
  }

  private mutating func text() -> Text {
    let count = number()
    let text = Text(bytes[offset..<(offset + count)])
    offset += count
    return text
  }

  /// Reads a number in LEB128.
  private mutating func number() -> Int {
    var value = 0
    var shift = 0
    while true {
      let byte = bytes[offset]
      offset += 1
      value |= Int(byte & 0x7F) << shift
      guard byte & 0x80 != 0 else { return value }
      shift += 7
    }
  }
}

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
