// Longbox
// SPDX-License-Identifier: MIT

extension WikiBlockParser {
  /// Whether a line starts a table, after any `:` for indentation.
  func isTableStart(_ line: Range<Int>) -> Bool {
    var index = line.lowerBound
    while let mark = byte(index, in: line), mark == UInt8(ascii: ":") || mark.isASCIISpace { index += 1 }
    return byte(index, in: line) == UInt8(ascii: "{") && byte(index + 1, in: line) == UInt8(ascii: "|")
  }

  /// Reads the table that starts at a line and returns the index of the line after it.
  mutating func readTable(
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

  /// Parses a cell's content as a separate text; a single paragraph gets no element.
  private mutating func write(_ cell: WikiTable.Cell, into writer: inout WikiDocumentWriter) {
    let outer = (tableDepth: tableDepth, quotations: quotations)
    tableDepth += 1
    quotations = 0
    isBare = cell.lines.allSatisfy { !source[$0].trimmed().isEmpty }
    continuesLine = cell.startsInLine
    parse(cell.lines, into: &writer)
    isBare = false
    continuesLine = false
    tableDepth = outer.tableDepth
    quotations = outer.quotations
  }
}

/// A wikitext table split into rows and cells; the content is parsed elsewhere.
private struct WikiTable {
  struct Cell {
    let isHeader: Bool
    let columns: Int
    let rows: Int
    /// Whether the content starts on the line of the cell's mark.
    let startsInLine: Bool
    /// The lines of the content; the first is the rest of the line on which the cell starts.
    var lines: [Range<Int>]
  }

  private(set) var caption: [Range<Int>]?
  private(set) var rows: [[Cell]] = []
  private let source: [UInt8]

  /// Parses the lines between `{|` and `|}`.
  init(_ source: [UInt8], _ lines: ArraySlice<Range<Int>>) {
    self.source = source
    var row: [Cell] = []
    var isInCaption = false
    /// The number of open nested tables; their lines are content.
    var depth = 0
    for line in lines {
      let inner = source[line].drop { $0.isASCIISpace }
      let start = inner.startIndex
      let first = inner.first
      let second = inner.dropFirst().first
      let opens = first == UInt8(ascii: "{") && second == UInt8(ascii: "|")
      let closes = first == UInt8(ascii: "|") && second == UInt8(ascii: "}")
      if opens || closes || depth > 0 {
        depth = max(0, depth + (opens ? 1 : closes ? -1 : 0))
        if !row.isEmpty { row[row.count - 1].lines.append(line) }
      } else if first == UInt8(ascii: "|"), second == UInt8(ascii: "-") {
        if !row.isEmpty { rows.append(row) }
        row = []
        isInCaption = false
      } else if first == UInt8(ascii: "|"), second == UInt8(ascii: "+") {
        caption = caption ?? [content(of: (start + 2)..<line.upperBound).content]
        isInCaption = row.isEmpty
      } else if first == UInt8(ascii: "|") || first == UInt8(ascii: "!") {
        isInCaption = false
        addCells((start + 1)..<line.upperBound, isHeader: first == UInt8(ascii: "!"), to: &row)
      } else if !row.isEmpty {
        row[row.count - 1].lines.append(line)
      } else if isInCaption {
        caption?.append(line)
      }
    }
    if !row.isEmpty { rows.append(row) }
  }

  /// Splits cells on one line at `||`, and header cells at `!!` too.
  private func addCells(_ line: Range<Int>, isHeader: Bool, to row: inout [Cell]) {
    var start = line.lowerBound
    var index = start
    var links = 0
    while index < line.upperBound {
      let byte = source[index]
      let isDoubled = index + 1 < line.upperBound && source[index + 1] == byte
      if byte == WikiMarker.literal {
        index += 2
      } else if isDoubled, byte == UInt8(ascii: "[") {
        links += 1
        index += 2
      } else if isDoubled, byte == UInt8(ascii: "]") {
        links = max(0, links - 1)
        index += 2
      } else if isDoubled, links == 0, byte == UInt8(ascii: "|") || isHeader && byte == UInt8(ascii: "!") {
        row.append(cell(start..<index, isHeader: isHeader))
        index += 2
        start = index
      } else {
        index += 1
      }
    }
    row.append(cell(start..<line.upperBound, isHeader: isHeader))
  }

  private func cell(_ range: Range<Int>, isHeader: Bool) -> Cell {
    let (attributes, content) = content(of: range)
    return Cell(
      isHeader: isHeader,
      columns: Self.span("colspan", attributes),
      rows: Self.span("rowspan", attributes),
      startsInLine: !content.isEmpty,
      lines: content.isEmpty ? [] : [content]
    )
  }

  /// Splits attributes before a single bar from the content, unless they contain a link.
  private func content(of range: Range<Int>) -> (attributes: ArraySlice<UInt8>, content: Range<Int>) {
    var index = range.lowerBound
    while index < range.upperBound, source[index] != UInt8(ascii: "|") {
      let isLink = source[index] == UInt8(ascii: "[")
      if isLink || source[index] == WikiMarker.literal { index = range.upperBound } else { index += 1 }
    }
    let start = index < range.upperBound ? index + 1 : range.lowerBound
    let content = source[start..<range.upperBound].trimmed()
    let attributes = index < range.upperBound ? source[range.lowerBound..<index] : []
    return (attributes, content.startIndex..<content.endIndex)
  }

  private static func span(_ name: StaticString, _ attributes: ArraySlice<UInt8>) -> Int {
    guard !attributes.isEmpty else { return 1 }
    let digits = WikiAttributes.value(of: name, in: attributes).filter { $0.isASCIIDigit }
    return min(max(Text(digits).number ?? 1, 1), WikiCode.spanLimit)
  }
}
