// Longbox
// SPDX-License-Identifier: MIT

import Foundation

/// Base64url without padding (RFC 4648, section 5), the encoding of all binary values in web push.
public enum Base64URL {
  public static func encode(_ bytes: some Sequence<UInt8>) -> String {
    Data(bytes).base64EncodedString(options: [.base64URLAlphabet, .omitPaddingCharacter])
  }

  /// Decodes text; nil if it isn't base64url.
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
