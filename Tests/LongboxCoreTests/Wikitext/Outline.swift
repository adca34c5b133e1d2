// Longbox
// SPDX-License-Identifier: MIT

@testable import LongboxCore

/// A document in a readable notation: `p(Hello em(world))`.
func outline(_ document: WikiDocument) -> String {
  var outline = ""
  for part in document.parts {
    switch part {
    case .open(let element): outline += element.word + "("
    case .close: outline += ")"
    case .text(let text): outline += text.description
    case .lineBreak: outline += "⏎"
    case .rule: outline += "—"
    case .reference(let number): outline += "^\(number)"
    }
  }
  return outline
}

/// A page's explanation in the notation of ``outline(_:)-(WikiDocument)``.
func outline(_ wikitext: String) -> String {
  outline(WikiPage(wikitext: Text(string: wikitext)).explanation)
}

extension WikiElement {
  fileprivate var word: String {
    switch self {
    case .paragraph: "p"
    case .heading(let level): "h\(level)"
    case .bulletList: "ul"
    case .numberedList: "ol"
    case .item: "li"
    case .definitionList: "dl"
    case .term: "dt"
    case .definition: "dd"
    case .indent: "indent"
    case .preformatted: "pre"
    case .quotation: "quote"
    case .table: "table"
    case .caption: "caption"
    case .row: "tr"
    case .headerCell(let columns, let rows): "th" + Self.spans(columns, rows)
    case .cell(let columns, let rows): "td" + Self.spans(columns, rows)
    case .notes: "notes"
    case .note: "note"
    case .emphasis: "em"
    case .strong: "b"
    case .underlined: "u"
    case .struck: "s"
    case .small: "small"
    case .code: "code"
    case .lowered: "sub"
    case .raised: "sup"
    case .mark: "mark"
    case .comic(let number): "#\(number)"
    case .address(let address): "<\(address)>"
    case .anchor(let name): "#\(name)"
    }
  }

  private static func spans(_ columns: Int, _ rows: Int) -> String {
    columns == 1 && rows == 1 ? "" : "\(columns)x\(rows)"
  }
}
