// Longbox
// SPDX-License-Identifier: MIT

extension WikiBlockParser {
  /// Reads a list item, marked by `*`, `#`, `:` or `;`.
  ///
  /// The lists that it shares with the previous line continue.
  mutating func readItem(_ line: Range<Int>, into writer: inout WikiDocumentWriter) {
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

  mutating func endLists(keeping count: Int, into writer: inout WikiDocumentWriter) {
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
