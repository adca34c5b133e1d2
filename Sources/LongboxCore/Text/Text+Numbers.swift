// Longbox
// SPDX-License-Identifier: MIT

/// Formats and parses numbers without `String`.
extension Text {
  /// Formats a number in decimal digits.
  public init(decimal number: Int) {
    var digits: [UInt8] = []
    var rest = number.magnitude
    repeat {
      digits.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    } while rest > 0
    if number < 0 { digits.append(UInt8(ascii: "-")) }
    self.init(digits.reversed())
  }

  /// Formats a number with commas between thousands, as in "3,281".
  public init(grouped number: Int) {
    var digits: [UInt8] = []
    for (index, digit) in Text(decimal: number).bytes.reversed().enumerated() {
      if index > 0, index % 3 == 0, digit != UInt8(ascii: "-") { digits.append(UInt8(ascii: ",")) }
      digits.append(digit)
    }
    self.init(digits.reversed())
  }

  /// Formats a number with at least the given number of digits.
  public init(_ number: Int, digits: Int) {
    let plain = Text(decimal: number)
    self.init(repeatElement(UInt8(ascii: "0"), count: max(0, digits - plain.count)) + plain.bytes)
  }

  /// The number, if the text is one to nine decimal digits.
  public var number: Int? {
    guard !isEmpty, count <= 9, bytes.allSatisfy({ $0.isASCIIDigit }) else { return nil }
    var value = 0
    for digit in bytes { value = value * 10 + Int(digit - UInt8(ascii: "0")) }
    return value
  }

  /// Concatenates two texts.
  @inline(never)
  public static func + (left: Text, right: Text) -> Text {
    guard !left.isEmpty else { return right }
    guard !right.isEmpty else { return left }
    return Text(left.storage + right.storage)
  }
}
