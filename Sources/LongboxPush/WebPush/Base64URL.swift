// Longbox
// SPDX-License-Identifier: MIT

import Foundation

/// Base64url without padding (RFC 4648, section 5), the encoding of all binary values in web push.
public enum Base64URL {
  public static func encode(_ bytes: some Sequence<UInt8>) -> String {
    Data(bytes).base64EncodedString(options: [.base64URLAlphabet, .omitPaddingCharacter])
  }

  /// Decodes text; nil if ``encode(_:)`` can't have made it.
  ///
  /// Padding is allowed at the end, since some browsers' libraries write it.
  public static func decode(_ text: String) -> [UInt8]? {
    var letters = text.utf8[...]
    while letters.last == UInt8(ascii: "=") { letters.removeLast() }
    var plain = letters.map { letter in
      switch letter {
      case UInt8(ascii: "-"): UInt8(ascii: "+")
      case UInt8(ascii: "_"): UInt8(ascii: "/")
      default: letter
      }
    }
    while plain.count % 4 != 0 { plain.append(UInt8(ascii: "=")) }
    // Foundation ignores the bits of the last letter that belong to no byte, so several texts would have the same bytes.
    guard let bytes = Data(base64Encoded: Data(plain)), encode(bytes).utf8.elementsEqual(letters) else {
      return nil
    }
    return [UInt8](bytes)
  }
}
