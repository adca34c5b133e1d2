// Longbox
// SPDX-License-Identifier: MIT

extension UInt8 {
  /// The ASCII digit of a number below 16.
  public init(hexadecimalDigit number: UInt8, isUppercase: Bool = false) {
    let letterA = isUppercase ? UInt8(ascii: "A") : UInt8(ascii: "a")
    self = number < 10 ? UInt8(ascii: "0") + number : letterA + number - 10
  }
}

extension [UInt8] {
  /// Appends a byte as `%` and two hexadecimal digits (RFC 3986, section 2.1).
  public mutating func appendPercentEncoded(_ byte: UInt8) {
    append(UInt8(ascii: "%"))
    append(UInt8(hexadecimalDigit: byte >> 4, isUppercase: true))
    append(UInt8(hexadecimalDigit: byte & 15, isUppercase: true))
  }
}
