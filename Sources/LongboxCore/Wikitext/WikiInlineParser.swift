// Longbox
// SPDX-License-Identifier: MIT

/// Parses the inline content of one block: styles, links, marks, entities.
///
/// It gets a block's lines one by one and closes open elements at the end. Elements are always well nested:
/// `<sub>''a</sub>''` becomes two runs.
struct WikiInlineParser {
  private let source: [UInt8]
  /// Whether spaces are preserved.
  var keepsSpaces = false

  /// Text not written yet.
  private var run: [UInt8] = []
  /// The last byte of text in the block.
  private var last: UInt8 = 0x20
  /// The open elements, and whether a quote or a tag opened each.
  private var open: [(element: WikiElement, isByQuote: Bool)] = []
  /// Elements to close as soon as the current link ends.
  private var deferred: [WikiElement] = []
  private var quotes = WikiQuotes()
  /// The cached index of the next `]`.
  private var closingBracket = -1

  init(_ source: [UInt8]) {
    self.source = source
  }

  /// Whether a byte of `<nowiki>` could be read as markup.
  static func isMarkup(_ byte: UInt8) -> Bool {
    byte < 0x80 && !byte.isASCIILetter && !byte.isASCIIDigit && !byte.isASCIISpace
      && byte != UInt8(ascii: "&")
  }

  mutating func parse(_ line: Range<Int>, into writer: inout WikiDocumentWriter) {
    quotes = WikiQuotes(source, line)
    closingBracket = -1
    walk(line, isInLink: false, into: &writer)
    // Styles opened by quotes end with the line.
    flush(into: &writer)
    while let style = open.last(where: { $0.isByQuote }) { close(style.element, into: &writer) }
  }

  mutating func joinLines() {
    if last != 0x20 { append(0x20) }
  }

  /// Appends a line break where they are preserved.
  mutating func endLine() {
    append(0x0A)
  }

  /// Closes open elements at the end of the block.
  mutating func finish(into writer: inout WikiDocumentWriter) {
    flush(into: &writer)
    while open.popLast() != nil { writer.closeUnlessEmpty() }
    last = 0x20
  }

  private mutating func append(_ byte: UInt8) {
    run.append(byte)
    last = byte
  }

  private mutating func flush(into writer: inout WikiDocumentWriter) {
    guard !run.isEmpty else { return }
    writer.text(run[...])
    run.removeAll(keepingCapacity: true)
  }

  /// Parses bytes; a link's text contains no further links.
  private mutating func walk(_ range: Range<Int>, isInLink: Bool, into writer: inout WikiDocumentWriter) {
    var index = range.lowerBound
    while index < range.upperBound {
      if let end = markup(at: index, in: range, isInLink: isInLink, into: &writer) {
        index = end
      } else {
        text(at: index, in: range)
        index += 1
      }
    }
  }

  /// Reads the markup that starts with a byte and returns the index after it; nil if the byte is text.
  @inline(__always)
  private mutating func markup(
    at index: Int,
    in range: Range<Int>,
    isInLink: Bool,
    into writer: inout WikiDocumentWriter
  ) -> Int? {
    let byte = source[index]
    switch byte {
    case UInt8(ascii: "'"):
      guard let quote = quotes.take(at: index) else { return nil }
      apply(quote, into: &writer)
      return index + quote.length
    case UInt8(ascii: "["): return isInLink ? nil : link(at: index, range.upperBound, into: &writer)
    case UInt8(ascii: "h"): return isInLink ? nil : bareAddress(at: index, range, into: &writer)
    case UInt8(ascii: "&"): return entity(at: index, in: range)
    case UInt8(ascii: "_"): return magicWord(at: index, range.upperBound)
    case 0x09: return nil
    default: return byte < 0x20 ? marker(at: index, range.upperBound, into: &writer) : nil
    }
  }

  /// Appends a byte of text, unless it repeats a space or is left over from markup that isn't closed.
  @inline(__always)
  private mutating func text(at index: Int, in range: Range<Int>) {
    let byte = source[index]
    switch byte {
    case UInt8(ascii: "["): if last != byte { append(byte) }
    case UInt8(ascii: "{"), UInt8(ascii: "}"):
      // Repeated braces are left over from an unclosed template, and `{|` from a table.
      let next = index + 1 < range.upperBound ? source[index + 1] : 0
      let isTable = byte == UInt8(ascii: "{") && next == UInt8(ascii: "|")
      if last != byte && !isTable { append(byte) }
    case 0x20, 0x09: if keepsSpaces || last != 0x20 && last != 0x0A { append(keepsSpaces ? byte : 0x20) }
    default: append(byte)
    }
  }

  /// Appends the character of an entity and returns the index after it, or nil.
  private mutating func entity(at index: Int, in range: Range<Int>) -> Int? {
    guard let (entity, end) = Entity.decode(source[range], at: index) else { return nil }
    for byte in entity { append(byte) }
    return end
  }

  /// Reads a marker of the expansion and returns the index after it.
  private mutating func marker(at index: Int, _ end: Int, into writer: inout WikiDocumentWriter) -> Int {
    let next = index + 1 < end ? source[index + 1] : 0
    switch source[index] {
    case WikiMarker.literal:
      if next != 0 { append(next) }
      return index + 2
    case WikiMarker.lineBreak:
      flush(into: &writer)
      if keepsSpaces { append(0x0A) } else { writer.lineBreak() }
      last = 0x0A
      return index + 1
    case WikiMarker.reference:
      if let number = Text(source[min(index + 1, end)..<min(index + 4, end)]).number {
        flush(into: &writer)
        writer.reference(number)
      }
      return index + 4
    case WikiMarker.styleStart:
      if let style = WikiStyle(rawValue: next) { open(style.element, isByQuote: false, into: &writer) }
      return index + 2
    case WikiMarker.styleEnd:
      if let style = WikiStyle(rawValue: next) { close(style.element, into: &writer) }
      return index + 2
    default:
      return index + 1
    }
  }

  /// The index after a word such as `__NOTOC__`, or nil.
  private func magicWord(at start: Int, _ end: Int) -> Int? {
    guard start + 1 < end, source[start + 1] == UInt8(ascii: "_") else { return nil }
    var index = start + 2
    while index < min(end, start + 24), (0x41...0x5A).contains(source[index]) { index += 1 }
    guard index > start + 4, index + 1 < end else { return nil }
    guard source[index] == UInt8(ascii: "_"), source[index + 1] == UInt8(ascii: "_") else { return nil }
    return index + 2
  }

  private mutating func apply(_ quote: WikiQuotes.Run, into writer: inout WikiDocumentWriter) {
    for _ in 0..<quote.apostrophes { append(UInt8(ascii: "'")) }
    // If both end, the inner one ends first.
    let endsEmphasisFirst = quote.isStrong && quote.isEmphasis && open.last?.element == .emphasis
    if endsEmphasisFirst { toggle(.emphasis, into: &writer) }
    if quote.isStrong { toggle(.strong, into: &writer) }
    if quote.isEmphasis, !endsEmphasisFirst { toggle(.emphasis, into: &writer) }
  }

  private mutating func toggle(_ style: WikiElement, into writer: inout WikiDocumentWriter) {
    if open.contains(where: { $0.element == style && $0.isByQuote }) {
      close(style, into: &writer)
    } else {
      open(style, isByQuote: true, into: &writer)
    }
  }

  private mutating func open(_ style: WikiElement, isByQuote: Bool, into writer: inout WikiDocumentWriter) {
    deferred.removeAll { $0 == style }
    guard !open.contains(where: { $0.element == style }) else { return }
    flush(into: &writer)
    writer.open(style)
    open.append((style, isByQuote))
  }

  /// Ends a style, wherever it began: styles opened after it are closed and opened again.
  private mutating func close(_ style: WikiElement, into writer: inout WikiDocumentWriter) {
    guard let index = open.lastIndex(where: { $0.element == style }) else { return }
    let above = open[(index + 1)...]
    guard !above.contains(where: { !$0.element.isStyle }) else {
      if !deferred.contains(style) { deferred.append(style) }
      return
    }
    flush(into: &writer)
    for _ in above { writer.closeUnlessEmpty() }
    writer.closeUnlessEmpty()
    for entry in above { writer.open(entry.element) }
    open.remove(at: index)
  }

  /// Writes a link around what a closure writes, or only that if there is no target.
  private mutating func link(
    to target: WikiLink.Target,
    into writer: inout WikiDocumentWriter,
    text: (inout Self, inout WikiDocumentWriter) -> Void
  ) {
    let element: WikiElement
    switch target {
    case .comic(let number): element = .comic(number)
    case .address(let address): element = .address(Text(address))
    case .anchor(let name): element = .anchor(Text(name))
    case .nowhere: return text(&self, &writer)
    }
    flush(into: &writer)
    writer.open(element)
    open.append((element, false))
    text(&self, &writer)
    flush(into: &writer)
    guard let index = open.lastIndex(where: { !$0.element.isStyle }) else { return }
    let above = open[(index + 1)...]
    for _ in above { writer.close() }
    writer.close()
    for entry in above { writer.open(entry.element) }
    open.remove(at: index)
    let closed = deferred
    deferred = []
    for style in closed { close(style, into: &writer) }
  }

  /// Parses the link that starts with a bracket here and returns the index after it; nil if there is none.
  private mutating func link(at start: Int, _ end: Int, into writer: inout WikiDocumentWriter) -> Int? {
    if start + 1 < end, source[start + 1] == UInt8(ascii: "[") {
      return internalLink(at: start, end, into: &writer)
    }
    let addressEnd = endOfAddress(at: start + 1, end)
    guard let addressEnd, let close = findClosingBracket(after: addressEnd, end) else { return nil }
    // `&amp;` is common in addresses.
    let address = WikiLink.decoded(source[(start + 1)..<addressEnd])
    var label = addressEnd..<close
    while label.lowerBound < label.upperBound, source[label.lowerBound] == 0x20 {
      label = (label.lowerBound + 1)..<label.upperBound
    }
    let number = label.isEmpty ? writer.countLink() : 0
    link(to: WikiLink.external(address[...]), into: &writer) { parser, writer in
      if label.isEmpty {
        for byte in ("[" + Text(decimal: number) + "]").bytes { parser.append(byte) }
      } else {
        parser.walk(label, isInLink: true, into: &writer)
      }
    }
    return close + 1
  }

  /// Parses `[[...]]`; letters right after the link belong to its text: `[[comic]]s`.
  private mutating func internalLink(at start: Int, _ end: Int, into writer: inout WikiDocumentWriter) -> Int?
  {
    var close = findClosingBracket(after: start + 2, end)
    while let found = close, found + 1 >= end || source[found + 1] != UInt8(ascii: "]") {
      close = findClosingBracket(after: found + 1, end)
    }
    guard let close else { return nil }
    let inner = (start + 2)..<close
    let bar = inner.first { source[$0] == UInt8(ascii: "|") }
    var trailEnd = close + 2
    while trailEnd < end, (0x61...0x7A).contains(source[trailEnd]) { trailEnd += 1 }
    let target = WikiLink.target(
      source[inner.lowerBound..<(bar ?? inner.upperBound)],
      onPageOf: writer.ownNumber
    )
    link(to: target, into: &writer) { parser, writer in
      parser.walk((bar.map { $0 + 1 } ?? inner.lowerBound)..<inner.upperBound, isInLink: true, into: &writer)
      parser.walk((close + 2)..<trailEnd, isInLink: true, into: &writer)
    }
    return trailEnd
  }

  /// The index of the next `]`; cached, so that many `[` don't each search the whole line.
  private mutating func findClosingBracket(after start: Int, _ end: Int) -> Int? {
    if closingBracket < start {
      closingBracket = start
      while closingBracket < end, source[closingBracket] != UInt8(ascii: "]") {
        closingBracket += source[closingBracket] == WikiMarker.literal ? 2 : 1
      }
    }
    return closingBracket < end ? closingBracket : nil
  }

  /// The end of an address that starts here, or nil.
  private func endOfAddress(at start: Int, _ end: Int) -> Int? {
    guard start < end else { return nil }
    let schemes: [StaticString] = ["http://", "https://", "//", "ftp://", "mailto:"]
    let rest = source[start..<min(end, start + 2048)]
    guard schemes.contains(where: { rest.starts(with: $0.utf8Bytes) }) else { return nil }
    var index = start
    while index < rest.endIndex, !Self.endsAddress(source[index]) {
      if source[index] == UInt8(ascii: "'"), index + 1 < rest.endIndex, source[index + 1] == UInt8(ascii: "'")
      {
        break
      }
      index += 1
    }
    return index
  }

  private static func endsAddress(_ byte: UInt8) -> Bool {
    byte <= 0x20 || byte == UInt8(ascii: "[") || byte == UInt8(ascii: "]") || byte == UInt8(ascii: "<")
      || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "\"")
  }

  /// Parses a bare address as a link; a full stop after it isn't part of the link.
  private mutating func bareAddress(
    at start: Int,
    _ range: Range<Int>,
    into writer: inout WikiDocumentWriter
  ) -> Int? {
    guard source[start...].starts(with: ("http" as StaticString).utf8Bytes) else { return nil }
    guard !last.isASCIILetter && !last.isASCIIDigit else { return nil }
    guard var end = endOfAddress(at: start, range.upperBound) else { return nil }
    let hasOpening = source[start..<end].contains(UInt8(ascii: "("))
    while end > start,
      Self.endsSentence(source[end - 1]) || source[end - 1] == UInt8(ascii: ")") && !hasOpening
    {
      end -= 1
    }
    let address = WikiLink.decoded(source[start..<end])
    guard WikiCode.isAddress(address[...]) else { return nil }
    link(to: WikiLink.external(address[...]), into: &writer) { parser, _ in
      for byte in address { parser.append(byte) }
    }
    return end
  }

  private static func endsSentence(_ byte: UInt8) -> Bool {
    (".,;:!?\\|{}" as StaticString).utf8Bytes.contains(byte)
  }
}

extension WikiElement {
  /// Whether this is a text style, not a link.
  fileprivate var isStyle: Bool {
    switch self {
    case .comic, .address, .anchor: false
    default: true
    }
  }
}
