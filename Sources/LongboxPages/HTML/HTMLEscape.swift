// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// Escapes text for HTML content and for quoted attribute values alike.
enum HTMLEscape {
  /// Never inlined, since it stands in each text and each attribute.
  @inline(never)
  static func append(_ text: Text, to bytes: inout [UInt8]) {
    for byte in text.bytes {
      switch byte {
      case UInt8(ascii: "&"): bytes.append("&amp;")
      case UInt8(ascii: "<"): bytes.append("&lt;")
      case UInt8(ascii: ">"): bytes.append("&gt;")
      case UInt8(ascii: "\""): bytes.append("&quot;")
      case UInt8(ascii: "'"): bytes.append("&#39;")
      case 0: bytes.append("\u{FFFD}")  // HTML does not allow NUL.
      default: bytes.append(byte)
      }
    }
  }
}
