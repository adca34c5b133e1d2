// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

extension WikiDocument {
  /// The document as HTML.
  ///
  /// It is shown below a level 2 heading, so its sections start at level 3, and heading levels are never
  /// skipped. Links to comics stay on this site. Elements are always well nested, and all text is escaped.
  public var html: HTML {
    // The stack of open elements with their content; the first is the document.
    var open: [(element: WikiElement?, content: HTML)] = [(nil, HTML())]
    var level = 2
    var anchors = WikiAnchors(parts)
    var noteNumber = 0
    for part in parts {
      let innermost = open.count - 1
      switch part {
      case .open(let element): open.append((element, HTML()))
      case .close:
        guard innermost > 0, let closed = open.popLast(), let element = closed.element else { continue }
        if case .heading(let wanted) = element { level = max(3, min(wanted + 1, level + 1, 5)) }
        if element == .note { noteNumber += 1 }
        let anchor = anchors.anchor(of: element, note: noteNumber)
        open[innermost - 1].content.append(element.html(closed.content, headingLevel: level, anchor: anchor))
      case .text(let text): open[innermost].content.append(HTML(text))
      case .lineBreak: open[innermost].content.append(HTML(void: "br", []))
      case .rule: open[innermost].content.append(HTML(void: "hr", []))
      case .reference(let number):
        let mark = HTML("[" + Text(decimal: number) + "]" as Text)
        open[innermost].content.append(sup { HTML(element: "a", [WikiAnchors.link(toNote: number)], mark) })
      }
    }
    return open[0].content
  }
}

extension WikiElement {
  /// - Parameter anchor: the name of this element's anchor, or of the one that it links to; empty if there is none.
  fileprivate func html(_ content: HTML, headingLevel: Int, anchor: Text) -> HTML {
    let id: [Attribute] = anchor.isEmpty ? [] : [.id(anchor)]
    switch self {
    case .heading:
      return HTML(element: headingLevel == 3 ? "h3" : headingLevel == 4 ? "h4" : "h5", id, content)
    case .note: return HTML(element: "li", id, content)
    case .anchor:
      return anchor.isEmpty ? content : HTML(element: "a", [Attribute("href", "#" + anchor)], content)
    case .indent: return HTML(element: "div", [.class("indent")], content)
    case .table:
      // Wide tables scroll, which the keyboard must be able to do, too.
      return div(.class("table"), Attribute("tabindex", "0"), .role("group"), .label("Table")) {
        HTML(element: "table", [], content)
      }
    case .headerCell(let columns, let rows): return HTML(element: "th", Self.spans(columns, rows), content)
    case .cell(let columns, let rows): return HTML(element: "td", Self.spans(columns, rows), content)
    case .notes: return HTML(element: "ol", [.class("notes")], content)
    case .mark: return HTML(element: "sup", [.class("mark")], content)
    case .comic(let number):
      let link = Comic.Number(number).map(Link.comic) ?? (number == 404 ? .missingNumber : .overview(.init()))
      return HTML(element: "a", [.href(link)], content)
    case .address(let address):
      return HTML(
        element: "a",
        [.href(.external(address)), Attribute("rel", "noopener noreferrer external")],
        content
      )
    default: return HTML(element: name, [], content)
    }
  }

  private static func spans(_ columns: Int, _ rows: Int) -> [Attribute] {
    [columns > 1 ? Attribute("colspan", columns) : .none, rows > 1 ? Attribute("rowspan", rows) : .none]
  }

  /// The tag name of an element without attributes.
  private var name: StaticString {
    switch self {
    case .paragraph: "p"
    case .bulletList: "ul"
    case .numberedList: "ol"
    case .item: "li"
    case .definitionList: "dl"
    case .term: "dt"
    case .definition: "dd"
    case .preformatted: "pre"
    case .quotation: "blockquote"
    case .caption: "caption"
    case .row: "tr"
    case .emphasis: "em"
    case .strong: "strong"
    case .underlined: "u"
    case .struck: "s"
    case .small: "small"
    case .code: "code"
    case .lowered: "sub"
    case .raised: "sup"
    case .heading, .indent, .table, .headerCell, .cell, .notes, .note, .mark, .comic, .address, .anchor: "div"
    }
  }
}
