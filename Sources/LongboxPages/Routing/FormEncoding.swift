// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

enum FormEncoding {
  /// Decodes `+` to a space and `%41` to a byte, and keeps an invalid percent sign.
  ///
  /// The result is valid UTF-8.
  static func decode(_ encoded: ArraySlice<UInt8>) -> Text {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(encoded.count)
    var index = encoded.startIndex
    while index < encoded.endIndex {
      let byte = encoded[index]
      if byte == UInt8(ascii: "%"), index + 2 < encoded.endIndex,
        let high = hexadecimal(encoded[index + 1]), let low = hexadecimal(encoded[index + 2])
      {
        bytes.append(high << 4 | low)
        index += 3
      } else {
        bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
        index += 1
      }
    }
    return Text(bytes).valid
  }

  /// Encodes all bytes but ASCII letters, digits and a few signs.
  static func encode(_ text: Text) -> Text {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count + 16)
    for byte in text.bytes {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
        bytes.append(byte)
      case UInt8(ascii: " "): bytes.append(UInt8(ascii: "+"))
      default: bytes.appendPercentEncoded(byte)
      }
    }
    return Text(bytes)
  }

  private static func hexadecimal(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}
