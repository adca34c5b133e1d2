// Longbox
// SPDX-License-Identifier: MIT

/// Writes the parts of a document in sequence.
///
/// Beyond the limit everything is dropped and only open elements are closed, so that the result stays valid.
/// It is longer than the limit by the start of one part and the closing bytes at most.
struct WikiDocumentWriter {
  private(set) var parts: [UInt8] = []
  /// The number of open elements.
  private(set) var depth = 0
  /// The number of open elements that were written; those inside them were dropped.
  private var writtenDepth = 0
  /// Whether something was dropped.
  private(set) var isCut = false
  /// The start of the last opened element and of its content.
  private var emptyStart: (offset: Int, end: Int)?
  /// The headings so far, with the end of each; `Int.max` for one that is open.
  private var headings: [(level: Int, start: Int, end: Int, depth: Int)] = []
  private let limit: Int
  /// The number of links without text so far; MediaWiki shows their numbers.
  private(set) var linkCount: Int
  /// The number of the page's comic, if the page says it.
  let ownNumber: Int?
  /// Whether the notes of the page were written.
  var hasNotes = false

  /// Creates a writer.
  /// - Parameters:
  ///   - limit: the maximum number of bytes.
  ///   - linkCount: the number of links without text before this part of the page.
  ///   - ownNumber: the number of the page's comic, if the page says it.
  init(limit: Int, linkCount: Int = 0, ownNumber: Int? = nil) {
    self.limit = limit
    self.ownNumber = ownNumber
    self.linkCount = linkCount
  }

  /// Continues the count of links after another part of the page.
  mutating func continueCount(after other: WikiDocumentWriter) {
    linkCount = other.linkCount
  }

  /// Counts a link without text, and returns its number.
  mutating func countLink() -> Int {
    linkCount += 1
    return linkCount
  }

  var isFull: Bool { isCut || parts.count >= limit }

  /// Records that the rest was dropped.
  mutating func cut() {
    isCut = true
  }

  /// Opens an element; a heading first removes those that nothing has followed.
  ///
  /// - Returns: the length before the element, to which the document can be shortened.
  @discardableResult
  mutating func open(_ element: WikiElement) -> Int {
    depth += 1
    guard !isFull else {
      cut()
      return parts.count
    }
    if case .heading(let level) = element { removeEmptyHeadings(from: level, at: depth - 1) }
    writtenDepth += 1
    let start = parts.count
    defer { emptyStart = (start, parts.count) }
    switch element {
    case .heading(let level):
      headings.append((level, start, .max, depth - 1))
      append(WikiCode.heading, level)
    case .headerCell(let columns, let rows): append(WikiCode.headerCell, columns, rows)
    case .cell(let columns, let rows): append(WikiCode.cell, columns, rows)
    case .comic(let number): append(WikiCode.comic, number)
    case .address(let address): append(WikiCode.address, address.bytes)
    case .anchor(let name): append(WikiCode.anchor, name.bytes)
    default:
      guard let index = WikiCode.plain.firstIndex(of: element) else { break }
      parts.append(WikiCode.firstPlain + UInt8(index))
    }
    return start
  }

  mutating func close() {
    if writtenDepth == depth {
      parts.append(WikiCode.close)
      writtenDepth -= 1
    }
    depth -= 1
    if let last = headings.last, last.end == .max, last.depth == depth {
      headings[headings.count - 1].end = parts.count
    }
  }

  /// Removes the last headings if nothing has followed them, as when a section had only what isn't shown.
  /// - Parameters:
  ///   - level: the level of the heading that comes next; those above it may still get content.
  ///   - depth: the number of elements around it.
  mutating func removeEmptyHeadings(from level: Int = 0, at depth: Int = 0) {
    while let last = headings.last, last.end == parts.count, last.level >= level, last.depth == depth {
      parts.removeLast(parts.count - last.start)
      headings.removeLast()
      emptyStart = nil
    }
  }

  /// Closes the innermost element, or removes it if it is empty.
  mutating func closeUnlessEmpty() {
    guard writtenDepth == depth, let empty = emptyStart, empty.end == parts.count else { return close() }
    shorten(to: empty.offset, depth: depth - 1)
  }

  mutating func text(_ bytes: ArraySlice<UInt8>) {
    guard !bytes.isEmpty else { return }
    guard !isFull else { return cut() }
    let kept = WikiPage.prefix(of: bytes, limit - parts.count)
    if !kept.isEmpty { append(WikiCode.text, kept) }
    if kept.count < bytes.count { cut() }
  }

  mutating func lineBreak() {
    guard !isFull else { return cut() }
    parts.append(WikiCode.lineBreak)
  }

  mutating func rule() {
    guard !isFull else { return cut() }
    parts.append(WikiCode.rule)
  }

  mutating func reference(_ number: Int) {
    guard !isFull else { return cut() }
    append(WikiCode.reference, number)
  }

  /// Removes everything after a length, at which an element began.
  mutating func shorten(to count: Int, depth: Int) {
    parts.removeLast(parts.count - count)
    emptyStart = nil
    headings.removeAll { $0.start >= count || $0.end > count && $0.end != .max }
    self.depth = depth
    writtenDepth = min(writtenDepth, depth)
  }

  private mutating func append(_ code: UInt8, _ numbers: Int...) {
    parts.append(code)
    for number in numbers { parts.appendCount(number) }
  }

  private mutating func append(_ code: UInt8, _ bytes: ArraySlice<UInt8>) {
    parts.append(code)
    parts.appendCount(bytes.count)
    parts += bytes
  }
}
