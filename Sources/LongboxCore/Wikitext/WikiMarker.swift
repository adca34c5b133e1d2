// Longbox
// SPDX-License-Identifier: MIT

/// Control bytes with which the expansion of wikitext marks what is no longer markup.
///
/// They are removed from the source text first.
enum WikiMarker {
  /// The next byte is plain text, for example from `<nowiki>`.
  static var literal: UInt8 { 0x01 }
  /// Preformatted text starts; its line breaks are marked as ``literal``.
  static var preformattedStart: UInt8 { 0x02 }
  static var preformattedEnd: UInt8 { 0x03 }
  /// A line break within a paragraph: `<br>`.
  static var lineBreak: UInt8 { 0x04 }
  /// The mark of a note; its number follows as bytes.
  static var reference: UInt8 { 0x05 }
  /// A style starts; a byte of ``WikiStyle`` follows.
  static var styleStart: UInt8 { 0x06 }
  /// A style ends; a byte of ``WikiStyle`` follows.
  static var styleEnd: UInt8 { 0x07 }
  /// The place of the page's notes.
  static var notes: UInt8 { 0x10 }
  /// The place of a removed tag: what follows doesn't start a line, and quotes around it aren't one run.
  static var removedTag: UInt8 { 0x11 }
  /// A quotation starts, on a separate line.
  static var quotationStart: UInt8 { 0x0E }
  /// A quotation ends, on a separate line.
  static var quotationEnd: UInt8 { 0x0F }

  /// Whether a byte is allowed in text: no control bytes except tab and line feed.
  static func isText(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte != 0x7F || byte == 0x09 || byte == 0x0A
  }
}

/// Inline styles of tags and templates; the raw value follows a marker.
enum WikiStyle: UInt8 {
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

  /// The style of an HTML tag; nil if unsupported.
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
