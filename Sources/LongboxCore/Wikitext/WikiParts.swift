// Longbox
// SPDX-License-Identifier: MIT

/// Iterates over the parts of a document, in place.
public struct WikiParts: Sequence, IteratorProtocol, Sendable {
  private let bytes: [UInt8]
  private var offset: Int
  private var depth = 0

  init(_ bytes: [UInt8], from offset: Int) {
    self.bytes = bytes
    self.offset = offset
  }

  /// The next part, or nil at the end.
  public mutating func next() -> WikiPart? {
    // Opening the document validated all parts, so errors can't occur.
    do throws(WikiDocumentError) { return try read() } catch { return nil }
  }

  /// The next part, validated; nil at the end, where all elements must be closed.
  mutating func read() throws(WikiDocumentError) -> WikiPart? {
    guard offset < bytes.count else {
      guard depth == 0 else { throw .malformed }
      return nil
    }
    let code = bytes[offset]
    offset += 1
    switch code {
    case WikiCode.close:
      guard depth > 0 else { throw .malformed }
      depth -= 1
      return .close
    case WikiCode.text: return .text(try text())
    case WikiCode.lineBreak: return .lineBreak
    case WikiCode.rule: return .rule
    case WikiCode.reference: return .reference(try number(upTo: .max))
    default:
      guard depth < WikiDocument.depthLimit else { throw .malformed }
      depth += 1
      return .open(try element(code))
    }
  }

  private mutating func element(_ code: UInt8) throws(WikiDocumentError) -> WikiElement {
    switch code {
    case WikiCode.heading: return .heading(level: try number(upTo: 6))
    case WikiCode.headerCell:
      return .headerCell(
        columns: try number(upTo: WikiCode.spanLimit),
        rows: try number(upTo: WikiCode.spanLimit)
      )
    case WikiCode.cell:
      return .cell(
        columns: try number(upTo: WikiCode.spanLimit),
        rows: try number(upTo: WikiCode.spanLimit)
      )
    case WikiCode.comic: return .comic(try number(upTo: Comic.Number.greatestValue))
    case WikiCode.address:
      let address = try text()
      guard WikiCode.isAddress(address.bytes) else { throw .malformed }
      return .address(address)
    default:
      let plain = WikiCode.plain
      let place = Int(code) - Int(WikiCode.firstPlain)
      guard place >= 0, place < plain.count else { throw .malformed }
      return plain[place]
    }
  }

  private mutating func text() throws(WikiDocumentError) -> Text {
    let count = try number(upTo: .max)
    guard count <= bytes.count - offset else { throw .malformed }
    let text = Text(bytes[offset..<(offset + count)])
    offset += count
    return text
  }

  /// Reads a number from 0 to 2^28 - 1 in at most four bytes of LEB128.
  private mutating func number(upTo limit: Int) throws(WikiDocumentError) -> Int {
    var value = 0
    for place in 0..<4 {
      guard offset < bytes.count else { throw .malformed }
      let byte = bytes[offset]
      offset += 1
      value |= Int(byte & 0x7F) << (7 * place)
      if byte & 0x80 == 0 {
        guard value <= limit else { throw .malformed }
        return value
      }
    }
    throw .malformed
  }
}
