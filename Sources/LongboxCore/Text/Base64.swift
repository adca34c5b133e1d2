// Longbox
// SPDX-License-Identifier: MIT

/// Base64 with padding (RFC 4648, section 4).
enum Base64 {
  /// Encodes bytes.
  static func encode(_ bytes: ArraySlice<UInt8>) -> Text {
    var encoded: [UInt8] = []
    var rest = bytes
    while !rest.isEmpty {
      let part = rest.prefix(3)
      rest = rest.dropFirst(3)
      var word = part.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      word <<= UInt32(8 * (3 - part.count))
      for place in 0..<4 {
        let digit = UInt8(truncatingIfNeeded: word >> UInt32(18 - 6 * place) & 63)
        encoded.append(place <= part.count ? letter(of: digit) : UInt8(ascii: "="))
      }
    }
    return Text(encoded)
  }

  /// Decodes a text; nil if it isn't base64 with padding.
  static func decode(_ text: Text) -> [UInt8]? {
    guard text.count % 4 == 0 else { return nil }
    let padding = text.bytes.suffix(2).reversed().prefix { $0 == UInt8(ascii: "=") }.count
    var decoded: [UInt8] = []
    var word: UInt32 = 0
    for (place, letter) in text.bytes.dropLast(padding).enumerated() {
      guard let digit = digit(of: letter) else { return nil }
      word = word << 6 | UInt32(digit)
      // Each letter but the first of four completes a byte.
      if place % 4 != 0 { decoded.append(UInt8(truncatingIfNeeded: word >> UInt32(6 - 2 * (place % 4)))) }
    }
    return decoded
  }

  private static func letter(of digit: UInt8) -> UInt8 {
    switch digit {
    case 0..<26: UInt8(ascii: "A") + digit
    case 26..<52: UInt8(ascii: "a") + digit - 26
    case 52..<62: UInt8(ascii: "0") + digit - 52
    case 62: UInt8(ascii: "+")
    default: UInt8(ascii: "/")
    }
  }

  private static func digit(of letter: UInt8) -> UInt8? {
    switch letter {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): letter - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): letter - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): letter - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
