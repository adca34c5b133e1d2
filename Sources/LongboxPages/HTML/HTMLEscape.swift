// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// Escapes text for HTML content and for quoted attribute values alike.
enum HTMLEscape {
  private static let ampersand = ("&amp;" as StaticString).utf8Bytes
  private static let less = ("&lt;" as StaticString).utf8Bytes
  private static let greater = ("&gt;" as StaticString).utf8Bytes
  private static let quote = ("&quot;" as StaticString).utf8Bytes
  private static let apostrophe = ("&#39;" as StaticString).utf8Bytes
  /// U+FFFD, in place of NUL, which HTML does not allow.
  private static let replacement: [UInt8] = [0xEF, 0xBF, 0xBD]

  static func append(_ text: some Sequence<UInt8>, to bytes: inout [UInt8]) {
    for byte in text {
      switch byte {
      case UInt8(ascii: "&"): bytes.append(contentsOf: ampersand)
      case UInt8(ascii: "<"): bytes.append(contentsOf: less)
      case UInt8(ascii: ">"): bytes.append(contentsOf: greater)
      case UInt8(ascii: "\""): bytes.append(contentsOf: quote)
      case UInt8(ascii: "'"): bytes.append(contentsOf: apostrophe)
      case 0: bytes.append(contentsOf: replacement)
      default: bytes.append(byte)
      }
    }
  }
}
