// Longbox
// SPDX-License-Identifier: MIT

/// Writes the parts of a document, one after another.
///
/// When there is more than fits, text is left out and only what is open is closed, so that what was written remains
/// a document.
struct WikiDocumentWriter {
  /// The parts so far.
  private(set) var parts: [UInt8] = []
  /// How many elements are open.
  private(set) var depth = 0
  /// Whether something was left out.
  private(set) var isCut = false
  /// Where the element that was opened last begins and its content would begin.
  private var emptyStart: (offset: Int, end: Int)?
  private let limit: Int

  /// Makes a writer.
  /// - Parameter limit: how many bytes it takes.
  init(limit: Int) {
    self.limit = limit
  }

  /// Whether nothing more is taken.
  var isFull: Bool { parts.count >= limit }

  /// Writes down that the rest was left out.
  mutating func cut() {
    isCut = true
  }

  mutating func open(_ element: WikiElement) {
    depth += 1
    let start = parts.count
    defer { emptyStart = (start, parts.count) }
    switch element {
    case .heading(let level): append(WikiCode.heading, level)
    case .headerCell(let columns, let rows): append(WikiCode.headerCell, columns, rows)
    case .cell(let columns, let rows): append(WikiCode.cell, columns, rows)
    case .comic(let number): append(WikiCode.comic, number)
    case .address(let address): append(WikiCode.address, address.bytes)
    default:
      guard let place = WikiCode.plain.firstIndex(of: element) else { return }
      parts.append(WikiCode.firstPlain + UInt8(place))
    }
  }

  mutating func close() {
    depth -= 1
    parts.append(WikiCode.close)
  }

  /// Closes the innermost element, or takes it back where it holds nothing.
  mutating func closeUnlessEmpty() {
    guard let empty = emptyStart, empty.end == parts.count else { return close() }
    shorten(to: empty.offset, depth: depth - 1)
    emptyStart = nil
  }

  mutating func text(_ bytes: ArraySlice<UInt8>) {
    guard !bytes.isEmpty else { return }
    guard !isFull else { return cut() }
    append(WikiCode.text, bytes)
  }

  mutating func lineBreak() {
    parts.append(WikiCode.lineBreak)
  }

  mutating func rule() {
    parts.append(WikiCode.rule)
  }

  mutating func reference(_ number: Int) {
    append(WikiCode.reference, number)
  }

  /// Adds parts that another writer wrote, all closed.
  mutating func append(_ other: WikiDocumentWriter) {
    parts += other.parts
    if other.isCut { cut() }
  }

  /// Takes back what was written after a length, where no more than that turned out to be wanted.
  mutating func shorten(to count: Int, depth: Int) {
    parts.removeLast(parts.count - count)
    self.depth = depth
  }

  private mutating func append(_ code: UInt8, _ numbers: Int...) {
    parts.append(code)
    for number in numbers { append(number: number) }
  }

  private mutating func append(_ code: UInt8, _ bytes: ArraySlice<UInt8>) {
    parts.append(code)
    append(number: bytes.count)
    parts += bytes
  }

  private mutating func append(number: Int) {
    var rest = number
    while rest >= 0x80 {
      parts.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    parts.append(UInt8(rest))
  }
}
