// Longbox
// SPDX-License-Identifier: MIT

/// Base64 (RFC 4648): bytes as letters.
///
/// The core has its own, because it is also compiled for the service worker, without Foundation. Modules with Foundation use
/// `Base64URL` of LongboxPush.
public struct Base64: Sendable {
  private let isForURLs: Bool

  /// With padding (section 4).
  public static var standard: Base64 { Base64(isForURLs: false) }

  /// Without padding, in the alphabet for URLs and file names (section 5).
  public static var url: Base64 { Base64(isForURLs: true) }

  public func encode(_ bytes: ArraySlice<UInt8>) -> Text {
    var encoded: [UInt8] = []
    var rest = bytes
    while !rest.isEmpty {
      let part = rest.prefix(3)
      rest = rest.dropFirst(3)
      var word = part.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      word <<= UInt32(8 * (3 - part.count))
      for index in 0...part.count {
        encoded.append(letter(of: UInt8(truncatingIfNeeded: word >> UInt32(18 - 6 * index) & 63)))
      }
      if !isForURLs { encoded += [UInt8](repeating: UInt8(ascii: "="), count: 3 - part.count) }
    }
    return Text(encoded)
  }

  /// Decodes a text; nil if ``encode(_:)`` can't have made it.
  public func decode(_ text: Text) -> [UInt8]? {
    let padding = text.bytes.suffix(2).reversed().prefix { $0 == UInt8(ascii: "=") }.count
    guard isForURLs ? padding == 0 && text.count % 4 != 1 : text.count % 4 == 0 else { return nil }
    var decoded: [UInt8] = []
    var word: UInt32 = 0
    for (index, letter) in text.bytes.dropLast(padding).enumerated() {
      guard let digit = digit(of: letter) else { return nil }
      word = word << 6 | UInt32(digit)
      // Each letter but the first of four completes a byte.
      if index % 4 != 0 { decoded.append(UInt8(truncatingIfNeeded: word >> UInt32(6 - 2 * (index % 4)))) }
    }
    // The last letter may have two or four bits more than the last byte. They are zero.
    let leftover: UInt32 =
      switch decoded.count % 3 {
      case 1: word & 0xF
      case 2: word & 0x3
      default: 0
      }
    return leftover == 0 ? decoded : nil
  }

  private func letter(of digit: UInt8) -> UInt8 {
    switch digit {
    case 0..<26: UInt8(ascii: "A") + digit
    case 26..<52: UInt8(ascii: "a") + digit - 26
    case 52..<62: UInt8(ascii: "0") + digit - 52
    case 62: isForURLs ? UInt8(ascii: "-") : UInt8(ascii: "+")
    default: isForURLs ? UInt8(ascii: "_") : UInt8(ascii: "/")
    }
  }

  private func digit(of letter: UInt8) -> UInt8? {
    switch letter {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): letter - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): letter - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): letter - UInt8(ascii: "0") + 52
    case self.letter(of: 62): 62
    case self.letter(of: 63): 63
    default: nil
    }
  }
}
