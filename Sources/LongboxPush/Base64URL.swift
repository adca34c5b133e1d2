// Longbox
// SPDX-License-Identifier: MIT

import Foundation

/// The alphabet that needs no escaping in addresses and headers, without padding (RFC 4648, section 5): all binary things of
/// web push are written in it.
public enum Base64URL {
  /// Writes bytes.
  public static func encode(_ bytes: some Sequence<UInt8>) -> String {
    Data(bytes).base64EncodedString()
      .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }

  /// Reads bytes, or nothing where it is something else.
  ///
  /// Padding is allowed, since some browsers' libraries write it.
  public static func decode(_ text: String) -> [UInt8]? {
    guard !text.utf8.contains(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "/") }) else {
      return nil
    }
    let plain = text.replacing("-", with: "+").replacing("_", with: "/").replacing("=", with: "")
    let padding = String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4)
    return Data(base64Encoded: plain + padding).map { [UInt8]($0) }
  }
}
