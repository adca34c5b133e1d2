// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

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

  /// The attribute of a link to a note.
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
