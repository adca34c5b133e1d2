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

/// The anchors of a document: its headings by their texts, and its notes by their numbers.
///
/// Their names start with a prefix, so that they never equal an id of the page.
struct WikiAnchors {
  /// The headings in order; empty for one whose name an earlier one has.
  private var headings: [Text] = []
  private var next = 0

  /// Collects the headings.
  init(_ parts: WikiParts) {
    var heading: [UInt8]?
    var depth = 0
    for part in parts {
      switch part {
      case .open(let element):
        if case .heading = element {
          heading = []
          depth = 0
        }
        depth += 1
      case .text(let text): heading? += text.bytes
      case .close:
        depth -= 1
        if depth == 0, let text = heading {
          let name = Self.name(Text(text))
          headings.append(headings.contains(name) ? .empty : name)
          heading = nil
        }
      case .lineBreak, .rule, .reference: break
      }
    }
  }

  /// The name of an element's anchor, or of the one that it links to; empty if there is none.
  ///
  /// Call it for the elements in order.
  mutating func anchor(of element: WikiElement, note: Int) -> Text {
    switch element {
    case .heading:
      guard next < headings.count else { return .empty }
      next += 1
      return headings[next - 1]
    case .note: return Self.note(note)
    case .anchor(let text):
      let name = Self.name(text)
      return headings.contains(name) ? name : .empty
    default: return .empty
    }
  }

  static func link(toNote number: Int) -> Attribute { Attribute("href", "#" + note(number)) }

  private static func note(_ number: Int) -> Text { "note-" + Text(decimal: number) }

  /// Only letters and digits count, since the wiki spells the others differently: `Attack_Ads`, `Attack Ads`.
  private static func name(_ text: Text) -> Text {
    var name = ("about-" as StaticString).utf8Bytes
    for byte in text.bytes {
      if byte.isASCIILetter || byte.isASCIIDigit || byte >= 0x80 {
        name.append(byte)
      } else if name.last != UInt8(ascii: "-") {
        name.append(UInt8(ascii: "-"))
      }
    }
    while name.last == UInt8(ascii: "-") { name.removeLast() }
    return Text(name)
  }
}
