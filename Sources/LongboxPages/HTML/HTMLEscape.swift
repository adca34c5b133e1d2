// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// Escapes text for HTML content and quoted attribute values.
enum HTMLEscape {
  /// Not inlined, because every text and attribute calls it.
  @inline(never)
  static func append(_ text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
    // Copies runs without escapes at once.
    var start = 0
    for place in text.indices {
      let escaped: StaticString
      switch text[place] {
      case UInt8(ascii: "&"): escaped = "&amp;"
      case UInt8(ascii: "<"): escaped = "&lt;"
      case UInt8(ascii: ">"): escaped = "&gt;"
      case UInt8(ascii: "\""): escaped = "&quot;"
      case UInt8(ascii: "'"): escaped = "&#39;"
      case 0: escaped = "\u{FFFD}"  // HTML does not allow NUL.
      default: continue
      }
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<place]))
      bytes.append(escaped)
      start = place + 1
    }
    bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start...]))
  }

  static func append(_ text: Text, to bytes: inout [UInt8]) {
    text.bytes.withUnsafeBufferPointer { append($0, to: &bytes) }
  }

  static func append(_ literal: StaticString, to bytes: inout [UInt8]) {
    literal.withUTF8Buffer { append($0, to: &bytes) }
  }
}
