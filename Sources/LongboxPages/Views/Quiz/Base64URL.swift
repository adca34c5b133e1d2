// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// Base64url without padding, for form fields (RFC 4648, section 5).
enum Base64URL {
  private static var alphabet: [UInt8] {
    ("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_" as StaticString).utf8Bytes
  }

  static func encode(_ bytes: [UInt8]) -> Text {
    let alphabet = alphabet
    var text: [UInt8] = []
    var start = 0
    while start < bytes.count {
      let group = bytes[start..<min(start + 3, bytes.count)]
      var value: UInt32 = 0
      for byte in group { value = value << 8 | UInt32(byte) }
      value <<= UInt32(8 * (3 - group.count))
      for place in 0...group.count { text.append(alphabet[Int(value >> UInt32(18 - 6 * place) & 63)]) }
      start += 3
    }
    return Text(text)
  }

  /// The bytes; nil if the text isn't a result of ``encode(_:)``.
  static func decode(_ text: Text) -> [UInt8]? {
    guard text.count % 4 != 1 else { return nil }
    var bytes: [UInt8] = []
    var value: UInt32 = 0
    var bits: UInt32 = 0
    for letter in text.bytes {
      guard let six = number(letter) else { return nil }
      value = (value << 6 | six) & 0xFFFF
      bits += 6
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: value >> bits))
      }
    }
    // Leftover bits must be zero, so that each value has one encoding.
    return value & ((1 << bits) - 1) == 0 ? bytes : nil
  }

  private static func number(_ letter: UInt8) -> UInt32? {
    switch letter {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(letter) - 65
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(letter) - 97 + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(letter) - 48 + 52
    case UInt8(ascii: "-"): 62
    case UInt8(ascii: "_"): 63
    default: nil
    }
  }
}
