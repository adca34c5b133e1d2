// Longbox
// SPDX-License-Identifier: MIT

/// Reads expanded wikitext line by line: headings, paragraphs, lists, tables, quotations, preformatted text.
struct WikiBlockParser {
  /// How deep tables may stand inside each other; a deeper one's lines are left out.
  private static var tableDepthLimit: Int { 3 }
  /// How deep lists may stand inside each other; what is deeper stands at this depth.
  private static var listDepthLimit: Int { 8 }
  private static var quotationDepthLimit: Int { 4 }

  let source: [UInt8]
  private var inline: WikiInlineParser
  /// The lines of the paragraph or the preformatted text that is being read.
  private var paragraph: [Range<Int>] = []
  private var isPreformatted = false
  /// The kinds of the lists that are open, as wikitext writes them.
  private var lists: [UInt8] = []
  private var quotations = 0
  private var tableDepth = 0
  /// Whether a paragraph is the whole of a cell, and so needs no element of its own.
  private var isBare = false

  init(_ source: [UInt8]) {
    self.source = source
    inline = WikiInlineParser(source)
  }

  /// Reads all of the source.
  mutating func parse(into writer: inout WikiDocumentWriter) {
    parse(Self.lines(of: source, 0..<source.count), into: &writer)
  }

  /// Reads all of the source, whose paragraphs need no element where there is but one.
  mutating func parseBare(into writer: inout WikiDocumentWriter) {
    let lines = Self.lines(of: source, 0..<source.count)
    isBare = lines.allSatisfy { !source[$0].trimmed().isEmpty }
    parse(lines, into: &writer)
    isBare = false
  }

  /// The lines of a part of a text, without their ends.
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

  /// Reads lines into closed blocks.
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

  private func byte(_ index: Int, in line: Range<Int>) -> UInt8? {
    line.contains(index) ? source[index] : nil
  }

  private func trimmed(_ range: Range<Int>) -> Range<Int> {
    let slice = source[range].trimmed()
    return slice.startIndex..<slice.endIndex
  }
}

extension WikiBlockParser {
  /// Reads a line; `<pre>` in it makes several of one.
  private mutating func read(_ line: Range<Int>, into writer: inout WikiDocumentWriter) {
    var rest = line
    while let start = source[rest].firstIndex(of: WikiMarker.preformattedStart) {
      let end = source[start..<rest.upperBound].firstIndex(of: WikiMarker.preformattedEnd) ?? rest.upperBound
      if rest.lowerBound < start { readPlain(rest.lowerBound..<start, into: &writer) }
      // In an item of a list it belongs to the item.
      if rest.lowerBound < start { endParagraph(into: &writer) } else { endBlocks(into: &writer) }
      writePreformatted([(start + 1)..<end], into: &writer)
      rest = trimmed(min(end + 1, rest.upperBound)..<rest.upperBound)
      if rest.isEmpty { return }
    }
    readPlain(rest, into: &writer)
  }

  private mutating func readPlain(_ line: Range<Int>, into writer: inout WikiDocumentWriter) {
    let inner = trimmed(line)
    guard let first = source[inner].first else {
      return endBlocks(into: &writer)
    }
    switch first {
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
    case UInt8(ascii: "*"), UInt8(ascii: "#"), UInt8(ascii: ":"), UInt8(ascii: ";"):
      // A space before the mark is a slip of the hand more often than preformatted text.
      readItem(inner, into: &writer)
    case _ where source[line.lowerBound] == 0x20 && tableDepth == 0 && paragraph.isEmpty || isPreformatted:
      guard source[line.lowerBound] == 0x20 else {
        endBlocks(into: &writer)
        return addToParagraph(inner, into: &writer)
      }
      endLists(keeping: 0, into: &writer)
      isPreformatted = true
      paragraph.append((line.lowerBound + 1)..<line.upperBound)
    default:
      addToParagraph(inner, into: &writer)
    }
  }

  private mutating func addToParagraph(_ line: Range<Int>, into writer: inout WikiDocumentWriter) {
    endLists(keeping: 0, into: &writer)
    paragraph.append(line)
  }

  /// The level and the title of a heading; nothing where the line is none.
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
    for (place, line) in lines.enumerated() {
      if place > 0 { inline.endLine() }
      inline.parse(line, into: &writer)
    }
    inline.finish(into: &writer)
    inline.keepsSpaces = false
    writer.close()
  }

  /// Writes lines as the content of one element.
  private mutating func write(
    _ element: WikiElement?,
    _ lines: [Range<Int>],
    into writer: inout WikiDocumentWriter
  ) {
    let length = writer.parts.count
    let depth = writer.depth
    if let element { writer.open(element) }
    let start = writer.parts.count
    for (place, line) in lines.enumerated() {
      if place > 0 { inline.joinLines() }
      inline.parse(line, into: &writer)
    }
    inline.finish(into: &writer)
    // A paragraph of nothing, such as one that held but a category, is none.
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

  private mutating func endBlocks(into writer: inout WikiDocumentWriter) {
    endParagraph(into: &writer)
    endLists(keeping: 0, into: &writer)
  }
}

extension WikiBlockParser {
  /// Reads `*`, `#`, `:`, `;` and what they stand before. The lists that the line shares with the one before go on.
  private mutating func readItem(_ line: Range<Int>, into writer: inout WikiDocumentWriter) {
    endParagraph(into: &writer)
    let marks = source[line].prefix { ("*#:;" as StaticString).utf8Bytes.contains($0) }
    let text = trimmed(marks.endIndex..<line.upperBound)
    let wanted = Array(marks.prefix(Self.listDepthLimit))
    var common = 0
    while common < min(lists.count, wanted.count), Self.goesOn(lists[common], wanted[common]) { common += 1 }
    endLists(keeping: common, into: &writer)
    if common == wanted.count, let mark = wanted.last {
      // The next item of a list that goes on.
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

  /// A list that terms began goes on with what they mean; by itself `:` only indents.
  private static func goesOn(_ list: UInt8, _ mark: UInt8) -> Bool {
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

  /// Where the colon stands that ends a term: outside of links and addresses.
  private func colon(in text: Range<Int>) -> Int? {
    var brackets = 0
    var index = text.lowerBound
    while index < text.upperBound {
      switch source[index] {
      case WikiMarker.literal: index += 1
      case UInt8(ascii: "["): brackets += 1
      case UInt8(ascii: "]"): brackets = max(0, brackets - 1)
      case UInt8(ascii: ":") where brackets == 0:
        let next = byte(index + 1, in: text)
        if next == nil || next == 0x20 { return index }
      default: break
      }
      index += 1
    }
    return nil
  }
}

extension WikiBlockParser {
  /// Whether a table begins in a line, after the `:` that indent it.
  private func isTableStart(_ line: Range<Int>) -> Bool {
    var index = line.lowerBound
    while let mark = byte(index, in: line), mark == UInt8(ascii: ":") || mark.isASCIISpace { index += 1 }
    return byte(index, in: line) == UInt8(ascii: "{") && byte(index + 1, in: line) == UInt8(ascii: "|")
  }

  /// Reads the table that begins at a line and gives the index of the line after it.
  private mutating func readTable(
    _ lines: [Range<Int>],
    _ first: Int,
    into writer: inout WikiDocumentWriter
  ) -> Int {
    endBlocks(into: &writer)
    var depth = 1
    var end = first + 1
    while end < lines.count {
      let line = trimmed(lines[end])
      if isTableStart(lines[end]) { depth += 1 }
      if byte(line.lowerBound, in: line) == UInt8(ascii: "|"),
        byte(line.lowerBound + 1, in: line) == UInt8(ascii: "}")
      {
        depth -= 1
        if depth == 0 { break }
      }
      end += 1
    }
    if tableDepth < Self.tableDepthLimit {
      let table = WikiTable(source, lines[(first + 1)..<end])
      write(table, into: &writer)
    }
    guard end < lines.count else { return end }
    let rest = trimmed((trimmed(lines[end]).lowerBound + 2)..<lines[end].upperBound)
    if !rest.isEmpty { read(rest, into: &writer) }
    return end + 1
  }

  private mutating func write(_ table: WikiTable, into writer: inout WikiDocumentWriter) {
    guard !table.rows.isEmpty else { return }
    writer.open(.table)
    if let caption = table.caption { write(.caption, caption.map { trimmed($0) }, into: &writer) }
    for row in table.rows {
      guard !writer.isFull else {
        writer.cut()
        break
      }
      writer.open(.row)
      for cell in row {
        writer.open(
          cell.isHeader
            ? .headerCell(columns: cell.columns, rows: cell.rows)
            : .cell(columns: cell.columns, rows: cell.rows)
        )
        write(cell, into: &writer)
        writer.close()
      }
      writer.close()
    }
    writer.close()
  }

  /// A cell's content is a text of its own; a single paragraph in it stands there without an element.
  private mutating func write(_ cell: WikiTable.Cell, into writer: inout WikiDocumentWriter) {
    let outer = (tableDepth: tableDepth, quotations: quotations)
    tableDepth += 1
    quotations = 0
    isBare = cell.lines.allSatisfy { !source[$0].trimmed().isEmpty }
    parse(cell.lines, into: &writer)
    isBare = false
    tableDepth = outer.tableDepth
    quotations = outer.quotations
  }
}
