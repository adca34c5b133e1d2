// Longbox
// SPDX-License-Identifier: MIT

/// Parses expanded wikitext line by line: headings, paragraphs, lists, tables, quotations, preformatted text.
struct WikiBlockParser {
  /// The maximum nesting of tables; the lines of deeper ones are dropped.
  static var tableDepthLimit: Int { 3 }
  /// The maximum nesting of lists; deeper ones stay at this level.
  private static var listDepthLimit: Int { 8 }
  private static var quotationDepthLimit: Int { 4 }

  let source: [UInt8]
  /// The notes of the page, for the place that shows them.
  private let notes: [[UInt8]]
  private var inline: WikiInlineParser
  /// The lines of the current paragraph or preformatted text.
  private var paragraph: [Range<Int>] = []
  private var isPreformatted = false
  /// The open lists, by their marks in wikitext.
  private var lists: [UInt8] = []
  var quotations = 0
  var tableDepth = 0
  /// Whether a paragraph is a cell's whole content, and so needs no element.
  var isBare = false
  /// Whether the next line is the rest of a line, and so has no list mark.
  var continuesLine = false

  init(_ source: [UInt8], notes: [[UInt8]] = []) {
    self.source = source
    self.notes = notes
    inline = WikiInlineParser(source)
  }

  /// Parses the whole source; a single paragraph gets no element.
  private mutating func parseBare(into writer: inout WikiDocumentWriter) {
    let lines = Self.lines(of: source, 0..<source.count)
    isBare = lines.allSatisfy { !source[$0].trimmed().isEmpty }
    parse(lines, into: &writer)
    isBare = false
  }

  /// The lines of a part of a text, without line breaks.
  static func lines(of source: [UInt8], _ range: Range<Int>) -> [Range<Int>] {
    var lines: [Range<Int>] = []
    var start = range.lowerBound
    var index = start
    while index < range.upperBound {
      if source[index] == WikiMarker.literal {
        index += 2
        continue
      }
      if source[index] == 0x0A {
        lines.append(start..<index)
        start = index + 1
      }
      index += 1
    }
    if start < range.upperBound { lines.append(start..<range.upperBound) }
    return lines
  }

  /// Parses lines and closes all blocks.
  mutating func parse(_ lines: [Range<Int>], into writer: inout WikiDocumentWriter) {
    var index = 0
    while index < lines.count {
      guard !writer.isFull else {
        writer.cut()
        break
      }
      if isTableStart(lines[index]) {
        index = readTable(lines, index, into: &writer)
      } else {
        read(lines[index], into: &writer)
        index += 1
      }
    }
    endBlocks(into: &writer)
    while quotations > 0 {
      writer.close()
      quotations -= 1
    }
  }

  func byte(_ index: Int, in line: Range<Int>) -> UInt8? {
    line.contains(index) ? source[index] : nil
  }

  func trimmed(_ range: Range<Int>) -> Range<Int> {
    let slice = source[range].trimmed()
    return slice.startIndex..<slice.endIndex
  }

  /// Parses a line; `<pre>` splits it.
  mutating func read(_ line: Range<Int>, into writer: inout WikiDocumentWriter) {
    var rest = line
    while let start = source[rest].firstIndex(of: WikiMarker.preformattedStart) {
      let end = source[start..<rest.upperBound].firstIndex(of: WikiMarker.preformattedEnd) ?? rest.upperBound
      if rest.lowerBound < start { readPlain(rest.lowerBound..<start, into: &writer) }
      // In a list item it belongs to the item.
      if rest.lowerBound < start { endParagraph(into: &writer) } else { endBlocks(into: &writer) }
      writePreformatted([(start + 1)..<end], into: &writer)
      rest = trimmed(min(end + 1, rest.upperBound)..<rest.upperBound)
      if rest.isEmpty { return }
    }
    readPlain(rest, into: &writer)
  }

  private mutating func readPlain(_ line: Range<Int>, into writer: inout WikiDocumentWriter) {
    let inner = trimmed(line)
    guard
      let first = source[inner].first(where: { $0 != WikiMarker.removedTag }).map({ _ in
        source[inner.lowerBound]
      })
    else {
      return endBlocks(into: &writer)
    }
    if continuesLine {
      continuesLine = false
      return addToParagraph(inner, into: &writer)
    }
    let isIndented = source[line.lowerBound] == 0x20 && tableDepth == 0
    switch first {
    case WikiMarker.notes:
      endBlocks(into: &writer)
      Self.write(notes, into: &writer)
    case WikiMarker.quotationStart, WikiMarker.quotationEnd:
      endBlocks(into: &writer)
      markQuotation(first, into: &writer)
    case UInt8(ascii: "=") where source[line.lowerBound] == first:
      if let (level, title) = Self.heading(source, line) {
        endBlocks(into: &writer)
        write(.heading(level: max(2, min(6, level))), [title], into: &writer)
      } else {
        addToParagraph(inner, into: &writer)
      }
    case UInt8(ascii: "-") where source[line].starts(with: ("----" as StaticString).utf8Bytes):
      endBlocks(into: &writer)
      writer.rule()
    case UInt8(ascii: "*") where !isIndented, UInt8(ascii: "#") where !isIndented,
      UInt8(ascii: ":") where !isIndented, UInt8(ascii: ";") where !isIndented:
      readItem(inner, into: &writer)
    case _ where isIndented && paragraph.isEmpty || isPreformatted:
      guard source[line.lowerBound] == 0x20 else {
        endBlocks(into: &writer)
        return addToParagraph(inner, into: &writer)
      }
      if !lists.isEmpty { endLists(keeping: 0, into: &writer) }
      isPreformatted = true
      paragraph.append((line.lowerBound + 1)..<line.upperBound)
    default:
      addToParagraph(inner, into: &writer)
    }
  }

  private mutating func addToParagraph(_ line: Range<Int>, into writer: inout WikiDocumentWriter) {
    if !lists.isEmpty { endLists(keeping: 0, into: &writer) }
    paragraph.append(line)
  }

  /// The level and title of a heading, or nil.
  static func heading(_ source: [UInt8], _ line: Range<Int>) -> (level: Int, title: Range<Int>)? {
    let equals = UInt8(ascii: "=")
    let slice = source[line].trimmed()
    guard line.lowerBound == slice.startIndex, slice.first == equals, slice.last == equals, slice.count > 2
    else {
      return nil
    }
    let before = slice.prefix { $0 == equals }.count
    var after = 0
    while after < slice.count - before - 1, slice[slice.endIndex - 1 - after] == equals { after += 1 }
    let level = min(before, after, 6)
    guard level > 0 else { return nil }
    let title = slice.dropFirst(level).dropLast(level).trimmed()
    return title.isEmpty ? nil : (level, title.startIndex..<title.endIndex)
  }

  /// Writes the notes of a page, once.
  static func write(_ notes: [[UInt8]], into writer: inout WikiDocumentWriter) {
    guard !notes.isEmpty, !writer.isFull, !writer.hasNotes else { return }
    writer.hasNotes = true
    writer.open(.notes)
    for note in notes {
      writer.open(.note)
      var parser = WikiBlockParser(note)
      parser.parseBare(into: &writer)
      writer.close()
    }
    writer.close()
  }

  private mutating func markQuotation(_ mark: UInt8, into writer: inout WikiDocumentWriter) {
    if mark == WikiMarker.quotationStart, quotations < Self.quotationDepthLimit {
      writer.open(.quotation)
      quotations += 1
    } else if mark == WikiMarker.quotationEnd, quotations > 0 {
      writer.close()
      quotations -= 1
    }
  }

  private mutating func writePreformatted(_ lines: [Range<Int>], into writer: inout WikiDocumentWriter) {
    writer.open(.preformatted)
    inline.keepsSpaces = true
    for (index, line) in lines.enumerated() {
      if index > 0 { inline.endLine() }
      inline.parse(line, into: &writer)
    }
    inline.finish(into: &writer)
    inline.keepsSpaces = false
    writer.close()
  }

  /// Writes lines as the content of one element.
  mutating func write(
    _ element: WikiElement?,
    _ lines: [Range<Int>],
    into writer: inout WikiDocumentWriter
  ) {
    let depth = writer.depth
    let length = element.map { writer.open($0) } ?? writer.parts.count
    let start = writer.parts.count
    for (index, line) in lines.enumerated() {
      if index > 0 { inline.joinLines() }
      inline.parse(line, into: &writer)
    }
    inline.finish(into: &writer)
    // Omit an empty paragraph, such as one that contained only a category.
    guard element == nil || writer.parts.count > start else {
      return writer.shorten(to: length, depth: depth)
    }
    if element != nil { writer.close() }
  }

  private mutating func endParagraph(into writer: inout WikiDocumentWriter) {
    guard !paragraph.isEmpty else { return }
    let lines = paragraph
    paragraph = []
    guard isPreformatted else { return write(isBare ? nil : .paragraph, lines, into: &writer) }
    isPreformatted = false
    writePreformatted(lines, into: &writer)
  }

  mutating func endBlocks(into writer: inout WikiDocumentWriter) {
    endParagraph(into: &writer)
    endLists(keeping: 0, into: &writer)
  }

  /// Reads a list item, marked by `*`, `#`, `:` or `;`.
  ///
  /// The lists that it shares with the previous line continue.
  private mutating func readItem(_ line: Range<Int>, into writer: inout WikiDocumentWriter) {
    endParagraph(into: &writer)
    let marks = source[line].prefix { ("*#:;" as StaticString).utf8Bytes.contains($0) }
    let text = trimmed(marks.endIndex..<line.upperBound)
    let wanted = Array(marks.prefix(Self.listDepthLimit))
    var common = 0
    while common < min(lists.count, wanted.count), Self.continues(lists[common], wanted[common]) {
      common += 1
    }
    endLists(keeping: common, into: &writer)
    if common == wanted.count, let mark = wanted.last {
      // The next item of the same list.
      writer.close()
      writer.open(Self.item(mark, isInDefinitions: lists[common - 1] == UInt8(ascii: ";")))
    }
    for mark in wanted[common...] { openList(mark, into: &writer) }
    guard wanted.last == UInt8(ascii: ";"), let colon = colon(in: text) else {
      return write(nil, [text], into: &writer)
    }
    write(nil, [trimmed(text.lowerBound..<colon)], into: &writer)
    writer.close()
    writer.open(.definition)
    write(nil, [trimmed((colon + 1)..<text.upperBound)], into: &writer)
  }

  /// Whether a list continues: `:` after `;` adds a definition, elsewhere it only indents.
  private static func continues(_ list: UInt8, _ mark: UInt8) -> Bool {
    list == mark || list == UInt8(ascii: ";") && mark == UInt8(ascii: ":")
  }

  private mutating func openList(_ mark: UInt8, into writer: inout WikiDocumentWriter) {
    switch mark {
    case UInt8(ascii: "*"): writer.open(.bulletList)
    case UInt8(ascii: "#"): writer.open(.numberedList)
    case UInt8(ascii: ";"): writer.open(.definitionList)
    default: break
    }
    lists.append(mark)
    writer.open(Self.item(mark, isInDefinitions: mark == UInt8(ascii: ";")))
  }

  private static func item(_ mark: UInt8, isInDefinitions: Bool) -> WikiElement {
    switch mark {
    case UInt8(ascii: ";"): .term
    case UInt8(ascii: ":"): isInDefinitions ? .definition : .indent
    default: .item
    }
  }

  private mutating func endLists(keeping count: Int, into writer: inout WikiDocumentWriter) {
    endParagraph(into: &writer)
    while lists.count > count {
      let list = lists.removeLast()
      writer.close()
      if list != UInt8(ascii: ":") { writer.close() }
    }
  }

  /// The index of the colon that ends a term, outside of links and addresses.
  private func colon(in text: Range<Int>) -> Int? {
    var brackets = 0
    var index = text.lowerBound
    while index < text.upperBound {
      switch source[index] {
      case WikiMarker.literal: index += 1
      case UInt8(ascii: "["): brackets += 1
      case UInt8(ascii: "]"): brackets = max(0, brackets - 1)
      case UInt8(ascii: ":") where brackets == 0:
        let isAddress =
          byte(index + 1, in: text) == UInt8(ascii: "/") && byte(index + 2, in: text) == UInt8(ascii: "/")
        if !isAddress { return index }
      default: break
      }
      index += 1
    }
    return nil
  }
}
