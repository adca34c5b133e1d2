// Longbox
// SPDX-License-Identifier: MIT

/// Character references of HTML, those that titles and texts of the sources may hold.
///
/// A name that is not in the table stays as it is written: it is more likely to be text ("D&D;") than a reference.
package enum Entity {
  private static let named: [(name: StaticString, scalar: UInt32)] = [
    ("AElig", 0xC6), ("Aacute", 0xC1), ("Agrave", 0xC0), ("Aring", 0xC5), ("Auml", 0xC4), ("Ccedil", 0xC7),
    ("Eacute", 0xC9), ("Ntilde", 0xD1), ("Ouml", 0xD6), ("Oslash", 0xD8), ("Uuml", 0xDC), ("aacute", 0xE1),
    ("acirc", 0xE2), ("aelig", 0xE6), ("agrave", 0xE0), ("amp", 0x26), ("apos", 0x27), ("aring", 0xE5),
    ("auml", 0xE4), ("bull", 0x2022), ("ccedil", 0xE7), ("copy", 0xA9), ("deg", 0xB0), ("divide", 0xF7),
    ("eacute", 0xE9), ("ecirc", 0xEA), ("egrave", 0xE8), ("euml", 0xEB), ("frac12", 0xBD), ("gt", 0x3E),
    ("hellip", 0x2026), ("iacute", 0xED), ("icirc", 0xEE), ("infin", 0x221E), ("iuml", 0xEF), ("laquo", 0xAB),
    ("ldquo", 0x201C), ("lsquo", 0x2018), ("lt", 0x3C), ("mdash", 0x2014), ("micro", 0xB5), ("middot", 0xB7),
    ("minus", 0x2212), ("nbsp", 0xA0), ("ndash", 0x2013), ("ntilde", 0xF1), ("oacute", 0xF3), ("ocirc", 0xF4),
    ("ograve", 0xF2), ("oslash", 0xF8), ("ouml", 0xF6), ("pi", 0x3C0), ("quot", 0x22), ("raquo", 0xBB),
    ("rdquo", 0x201D), ("reg", 0xAE), ("rsquo", 0x2019), ("sect", 0xA7), ("szlig", 0xDF), ("times", 0xD7),
    ("trade", 0x2122), ("uacute", 0xFA), ("ucirc", 0xFB), ("uuml", 0xFC), ("zwj", 0x200D), ("zwnj", 0x200C),
  ]

  /// The longest reference that is looked for, in bytes with `&` and `;`.
  private static let longest = 12

  /// The UTF-8 bytes that a reference at this place stands for, and the index after it; nothing where none begins.
  package static func decode(_ bytes: ArraySlice<UInt8>, at start: Int) -> (utf8: [UInt8], end: Int)? {
    guard bytes[start] == UInt8(ascii: "&") else { return nil }
    let limit = min(bytes.endIndex, start + longest)
    guard let end = bytes[start..<limit].firstIndex(of: UInt8(ascii: ";")) else { return nil }
    let name = bytes[(start + 1)..<end]
    guard let value = number(name) ?? named.first(where: { $0.name.utf8Bytes == Array(name) })?.scalar,
      let scalar = Unicode.Scalar(value), value != 0
    else { return nil }
    return (Array(UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter), end + 1)
  }

  /// The value of `#233` or `#xE9`, or nothing.
  private static func number(_ name: ArraySlice<UInt8>) -> UInt32? {
    guard name.first == UInt8(ascii: "#") else { return nil }
    var digits = name.dropFirst()
    var radix: UInt32 = 10
    if let mark = digits.first, mark.lowercasedASCII == UInt8(ascii: "x") {
      digits = digits.dropFirst()
      radix = 16
    }
    guard !digits.isEmpty, digits.count <= 7 else { return nil }
    var value: UInt32 = 0
    for digit in digits {
      let lower = digit.lowercasedASCII
      let worth: UInt32
      if digit.isASCIIDigit {
        worth = UInt32(digit - UInt8(ascii: "0"))
      } else if radix == 16, (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(lower) {
        worth = UInt32(lower - UInt8(ascii: "a")) + 10
      } else {
        return nil
      }
      value = value * radix + worth
    }
    return value
  }
}
