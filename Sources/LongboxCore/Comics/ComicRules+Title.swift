// Longbox
// SPDX-License-Identifier: MIT

extension ComicRules {
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
}
