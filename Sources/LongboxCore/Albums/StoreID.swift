// Longbox
// SPDX-License-Identifier: MIT

/// The store's number of an artist, album or track; the same in all countries.
public struct StoreID: Hashable, Sendable {
  /// The number, from 1 to 2^53 - 1, which JSON readers represent exactly.
  public let value: UInt64

  /// Creates a number; nil if it is out of range.
  public init?(_ value: UInt64) {
    guard value >= 1, value < 1 << 53 else { return nil }
    self.value = value
  }

  /// Parses decimal digits as in an address, without leading zeros.
  public init?(_ text: Text) {
    guard (1...16).contains(text.count), text.bytes.first != UInt8(ascii: "0") else { return nil }
    var value: UInt64 = 0
    for digit in text.bytes {
      guard digit.isASCIIDigit else { return nil }
      value = value &* 10 &+ UInt64(digit - UInt8(ascii: "0"))
    }
    self.init(value)
  }

  /// The number in decimal digits.
  public var text: Text {
    var digits: [UInt8] = []
    var rest = value
    while rest > 0 {
      digits.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    }
    return Text(digits.reversed())
  }
}
