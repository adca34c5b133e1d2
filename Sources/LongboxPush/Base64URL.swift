// Longbox
// SPDX-License-Identifier: MIT

import Foundation

/// The alphabet that needs no escaping in addresses and headers, without padding (RFC 4648, section 5): all binary things of
/// web push are written in it.
public enum Base64URL {
  /// Writes bytes.
  public static func encode(_ bytes: some Sequence<UInt8>) -> String {
    Data(bytes).base64EncodedString(options: [.base64URLAlphabet, .omitPaddingCharacter])
  }

  /// Reads bytes, or nothing where it is something else.
  ///
  /// Padding is allowed, since some browsers' libraries write it.
  public static func decode(_ text: String) -> [UInt8]? {
    var plain: [UInt8] = []
    for letter in text.utf8 {
      switch letter {
      case UInt8(ascii: "+"), UInt8(ascii: "/"): return nil
      case UInt8(ascii: "-"): plain.append(UInt8(ascii: "+"))
      case UInt8(ascii: "_"): plain.append(UInt8(ascii: "/"))
      case UInt8(ascii: "="): continue
      default: plain.append(letter)
      }
    }
    while plain.count % 4 != 0 { plain.append(UInt8(ascii: "=")) }
    return Data(base64Encoded: Data(plain)).map { [UInt8]($0) }
  }
}
