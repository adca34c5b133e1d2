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
