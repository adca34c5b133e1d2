// Longbox
// SPDX-License-Identifier: MIT

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
