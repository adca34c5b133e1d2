// Longbox
// SPDX-License-Identifier: MIT

/// Control bytes by which the expansion of wikitext tells the parsers that follow what is markup no longer.
///
/// A text may not hold them: they are taken out of what a source sends before anything else.
enum WikiMarker {
  /// The next byte is text, whatever it is: it stood in `<nowiki>` or the like.
  static var literal: UInt8 { 0x01 }
  /// Preformatted text begins; its line ends are marked as ``literal``.
  static var preformattedStart: UInt8 { 0x02 }
  /// Preformatted text ends.
  static var preformattedEnd: UInt8 { 0x03 }
  /// The line ends within a paragraph: `<br>`.
  static var lineBreak: UInt8 { 0x04 }
  /// The mark of a note; its number follows as ``numberBytes`` bytes.
  static var reference: UInt8 { 0x05 }
  /// A style begins; a byte of ``WikiStyle`` follows.
  static var styleStart: UInt8 { 0x06 }
  /// A style ends; a byte of ``WikiStyle`` follows.
  static var styleEnd: UInt8 { 0x07 }
  /// A quotation begins, on a line of its own.
  static var quotationStart: UInt8 { 0x0E }
  /// A quotation ends, on a line of its own.
  static var quotationEnd: UInt8 { 0x0F }

  /// Whether a byte may stand in a text: no control byte but the tab and the end of line.
  static func isText(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte != 0x7F || byte == 0x09 || byte == 0x0A
  }
}

/// The styles of a run that a tag or a template asks for; the raw value stands after a marker.
enum WikiStyle: UInt8, CaseIterable {
  case emphasis = 0x61
  case strong, underlined, struck, small, code, lowered, raised, mark

  var element: WikiElement {
    switch self {
    case .emphasis: .emphasis
    case .strong: .strong
    case .underlined: .underlined
    case .struck: .struck
    case .small: .small
    case .code: .code
    case .lowered: .lowered
    case .raised: .raised
    case .mark: .mark
    }
  }

  /// The style that a tag of the wiki's HTML asks for; nothing where it asks for none that we show.
  init?(tag: ArraySlice<UInt8>) {
    for (name, style) in Self.tags where name.isEqual(to: tag) {
      self = style
      return
    }
    return nil
  }

  private static let tags: [(name: StaticString, style: WikiStyle)] = [
    ("sup", .raised), ("code", .code), ("sub", .lowered), ("u", .underlined), ("small", .small),
    ("tt", .code),
    ("s", .struck), ("em", .emphasis), ("i", .emphasis), ("del", .struck), ("b", .strong), ("kbd", .code),
    ("ins", .underlined), ("strong", .strong), ("strike", .struck), ("samp", .code), ("var", .emphasis),
    ("cite", .emphasis), ("dfn", .emphasis),
  ]
}
