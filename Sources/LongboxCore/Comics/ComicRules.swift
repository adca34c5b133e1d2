// Longbox
// SPDX-License-Identifier: MIT

/// The rules that convert fields of xkcd's records to what a reader sees.
///
/// Each rule is a pure function of bytes; the tests name the real comics that need it. Changing a rule
/// requires a new ``DecodingRules/version``.
public enum ComicRules {
  /// The last comic whose record has its own transcript.
  ///
  /// From 1611 on a record has the transcript of an earlier comic, and after 1677 none.
  public static var lastOwnTranscript: Int { 1608 }

  /// The comic whose record has the transcript of the next comic.
  private static var transcriptOfSuccessor: Int { 581 }

  /// Whether the transcript in a comic's record belongs to that comic.
  public static func trustsTranscript(of number: Comic.Number) -> Bool {
    number.value <= lastOwnTranscript && number.value != transcriptOfSuccessor
  }

  /// Whether dark pages may invert a comic's picture.
  public static func isLineArt(_ facts: PictureFacts, of number: Comic.Number) -> Bool {
    facts.isLineArt && !mustKeepColors(of: number)
  }

  /// Whether a picture without much colour must not be inverted, because its point would be lost.
  public static func mustKeepColors(of number: Comic.Number) -> Bool {
    KnownCorrections.coloredPictures.contains(number.value)
  }

  /// Whether a comic is interactive on xkcd.com: its record has `extra_parts` or no picture.
  public static func isInteractive(hasExtraParts: Bool, pictureAddress: Text) -> Bool {
    hasExtraParts || pictureAddress.isEmpty
  }

  /// The address of the picture; empty if the record's address names no file (1608, 1663).
  public static func pictureAddress(_ raw: Text) -> Text {
    guard let last = raw.bytes.last, last != UInt8(ascii: "/") else { return .empty }
    return Text(raw.bytes)
  }

  /// The link if it is an http, https or protocol-relative address (1506), else empty.
  public static func link(_ raw: Text) -> Text {
    let bytes = raw.bytes.trimmed()
    guard bytes.allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "<") })
    else { return .empty }
    if bytes.starts(with: ("//" as StaticString).utf8Bytes), bytes.count > 2 {
      return Text(("https:" as StaticString).utf8Bytes + bytes)
    }
    let lowered = bytes.prefix(8).map { $0.lowercasedASCII }
    guard
      lowered.starts(with: ("http://" as StaticString).utf8Bytes) && bytes.count > 7
        || lowered.starts(with: ("https://" as StaticString).utf8Bytes) && bytes.count > 8
    else { return .empty }
    return Text(bytes)
  }

  /// Converts a record's `title` to plain text.
  ///
  /// It reads `title` because `safe_title` loses text (259, 3015, 3142). It decodes known entities (259
  /// `&eacute;`) and removes inline tags (472 `<span ...>`); all else is text: `D&D`, `<City>-Style Pizza`.
  public static func title(_ raw: Text) -> Text {
    let bytes = raw.bytes
    guard bytes.contains(where: { $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: "<") }) else {
      return Text(bytes.trimmed())
    }
    var plain: [UInt8] = []
    plain.reserveCapacity(bytes.count)
    var index = bytes.startIndex
    while index < bytes.endIndex {
      if let end = endOfInlineTag(in: bytes, at: index) {
        index = end
      } else if let (entity, end) = Entity.decode(bytes, at: index) {
        plain.append(contentsOf: entity)
        index = end
      } else {
        plain.append(bytes[index])
        index += 1
      }
    }
    return Text(plain[...].trimmed())
  }

  /// Converts a record's `alt` to plain text.
  ///
  /// It decodes entities that stand for letters (259 `clich&eacute;s`). Other markup is meant as it is (1144
  /// `&nbsp;`, 2043 `<`).
  public static func alt(_ raw: Text, of number: Comic.Number) -> Text {
    let bytes = KnownCorrections.alt(raw.bytes, of: number)
    guard bytes.contains(UInt8(ascii: "&")) else { return Text(bytes) }
    var plain: [UInt8] = []
    var index = bytes.startIndex
    while index < bytes.endIndex {
      // From U+00C0 on, which is C3 80 in UTF-8; spaces, signs and quotes stay as they are.
      if let (entity, end) = Entity.decode(bytes, at: index), (0xC3...0xDF).contains(entity[0]) {
        plain += entity
        index = end
      } else {
        plain.append(bytes[index])
        index += 1
      }
    }
    return Text(plain)
  }

  /// Tags that style text in a title.
  private static let inlineTags: [StaticString] = [
    "a", "b", "big", "em", "font", "i", "s", "small", "span", "strong", "sub", "sup", "tt", "u",
  ]

  /// The index after a start or end tag of ``inlineTags`` that begins here, or nil.
  private static func endOfInlineTag(in bytes: ArraySlice<UInt8>, at start: Int) -> Int? {
    guard bytes[start] == UInt8(ascii: "<") else { return nil }
    var index = start + 1
    if index < bytes.endIndex, bytes[index] == UInt8(ascii: "/") { index += 1 }
    let nameStart = index
    while index < bytes.endIndex, bytes[index].isASCIILetter { index += 1 }
    let name = bytes[nameStart..<index].map { $0.lowercasedASCII }
    guard
      index < bytes.endIndex,
      bytes[index] == UInt8(ascii: ">") || bytes[index] == UInt8(ascii: " "),
      inlineTags.contains(where: { $0.utf8Bytes == name })
    else { return nil }
    while index < bytes.endIndex, bytes[index] != UInt8(ascii: ">") {
      guard bytes[index] != UInt8(ascii: "<") else { return nil }
      index += 1
    }
    return index < bytes.endIndex ? index + 1 : nil
  }

  /// The target of a link in the news: an http or https address, a path of this site for comics, or empty.
  ///
  /// Relative addresses are relative to xkcd.com (1830). 2288 lacks the opening quotation mark, so the
  /// closing one is removed.
  public static func newsAddress(_ raw: Text) -> Text {
    var bytes = raw.bytes.trimmed()
    while bytes.last == UInt8(ascii: "\"") || bytes.last == UInt8(ascii: "'") { bytes = bytes.dropLast() }
    let isPath = bytes.first == UInt8(ascii: "/") && bytes.dropFirst().first != UInt8(ascii: "/")
    let address = link(isPath ? "https://xkcd.com" + Text(bytes) : Text(bytes))
    for site in ["https://xkcd.com/", "https://www.xkcd.com/", "http://xkcd.com/", "http://www.xkcd.com/"]
      as [Text]
    where address.starts(with: site) {
      var rest = address.bytes.dropFirst(site.count)
      if rest.last == UInt8(ascii: "/") { rest = rest.dropLast() }
      if let number = Text(rest).number { return "/" + Text(decimal: number) + "/" }
    }
    return address
  }
}

/// Corrections of single records that no rule can derive, each with its source.
private enum KnownCorrections {
  /// A part of an alt text that the record has wrong.
  private struct AltText {
    let number: Int
    let wrong: StaticString
    let right: StaticString
  }

  private static let altTexts: [AltText] = [
    // explain xkcd's `titletext` has <br> where the record has lost the backslash of `\n`.
    AltText(number: 2576, wrong: "n⬜", right: "\n⬜")
  ]

  /// Comics whose point is in the colors of a picture without much color, so dark pages must not invert it.
  static let coloredPictures: [Int] = [
    1551, 1913, 2018, 2622,
    // The picture itself: the order of red, yellow and black tells one snake from the other.
    1604,
  ]

  /// An alt text with the known corrections.
  static func alt(_ alt: ArraySlice<UInt8>, of number: Comic.Number) -> ArraySlice<UInt8> {
    var corrected = alt
    for row in altTexts where row.number == number.value {
      var rest = corrected
      var parts: [UInt8] = []
      while let index = rest.firstIndex(of: row.wrong.utf8Bytes, from: rest.startIndex) {
        parts += rest[..<index] + row.right.utf8Bytes
        rest = rest[(index + row.wrong.utf8CodeUnitCount)...]
      }
      corrected = (parts + rest)[...]
    }
    return corrected
  }
}

/// The version of the rules that convert a source's record to a ``Comic``.
///
/// An archive stores the version that produced its text. Raise the version whenever a rule changes: stored
/// text is then decoded again from the raw records.
public enum DecodingRules {
  public static let version = 6
}
