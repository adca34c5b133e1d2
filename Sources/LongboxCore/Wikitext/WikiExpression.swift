// Longbox
// SPDX-License-Identifier: MIT

/// Computes what stands in `{{#expr:…}}`: numbers, parentheses, `+ - * / ^ div mod round`.
///
/// https://www.mediawiki.org/wiki/Help:Extension:ParserFunctions lists more, such as `ln`; those, and what is no
/// expression, have no result.
struct WikiExpression {
  /// The most nested parentheses and signs.
  private static let depthLimit = 40
  /// Results beyond it would lose digits.
  private static let greatest = Double(Int.max) / 10_000

  private let bytes: ArraySlice<UInt8>
  private var index: Int
  private var depth = 0

  /// The result in decimal digits, as the wiki writes it; nil if it can't be computed.
  static func text(_ expression: ArraySlice<UInt8>) -> Text? {
    var reader = WikiExpression(expression)
    guard let value = reader.rounding(), reader.isAtEnd else { return nil }
    return text(value)
  }

  private init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    index = bytes.startIndex
  }

  private var isAtEnd: Bool {
    mutating get {
      skipSpaces()
      return index == bytes.endIndex
    }
  }

  private mutating func skipSpaces() {
    while index < bytes.endIndex, bytes[index].isASCIISpace { index += 1 }
  }

  private mutating func take(_ sign: StaticString) -> Bool {
    skipSpaces()
    let rest = bytes[index...].prefix(sign.utf8CodeUnitCount).map { $0.lowercasedASCII }
    guard sign.isEqual(to: rest) else { return false }
    index += rest.count
    return true
  }

  private mutating func rounding() -> Double? {
    guard var value = sum() else { return nil }
    while take("round") {
      guard let places = sum(), abs(places) <= 15, let rounded = Self.rounded(value, Int(places)) else {
        return nil
      }
      value = rounded
    }
    return value
  }

  private mutating func sum() -> Double? {
    guard var value = product() else { return nil }
    while true {
      if take("+") {
        guard let next = product() else { return nil }
        value += next
      } else if take("-") {
        guard let next = product() else { return nil }
        value -= next
      } else {
        return value
      }
    }
  }

  private mutating func product() -> Double? {
    guard var value = power() else { return nil }
    while true {
      if take("*") {
        guard let next = power() else { return nil }
        value *= next
      } else if take("/") || take("div") {
        guard let next = power(), next != 0 else { return nil }
        value /= next
      } else if take("mod") {
        guard let next = power(), let left = Int(exactly: Self.whole(value)),
          let right = Int(exactly: Self.whole(next)), right != 0
        else { return nil }
        // Of the least number and -1, `%` would end the program.
        value = Double(left.remainderReportingOverflow(dividingBy: right).partialValue)
      } else {
        return value
      }
    }
  }

  /// Only whole exponents have a result.
  private mutating func power() -> Double? {
    guard var value = atom() else { return nil }
    while take("^") {
      guard let exponent = atom(), abs(exponent) <= 1000, exponent == Self.whole(exponent) else { return nil }
      var result = 1.0
      var rest = Int(abs(exponent))
      while rest > 0 {
        if rest & 1 == 1 { result *= value }
        value *= value
        rest >>= 1
      }
      guard exponent >= 0 || result != 0 else { return nil }
      value = exponent < 0 ? 1 / result : result
    }
    return value
  }

  private mutating func atom() -> Double? {
    guard depth < Self.depthLimit else { return nil }
    depth += 1
    defer { depth -= 1 }
    if take("-") { return atom().map { -$0 } }
    if take("+") { return atom() }
    if take("(") {
      let value = rounding()
      return take(")") ? value : nil
    }
    return number()
  }

  private mutating func number() -> Double? {
    let start = index
    var value = 0.0
    var scale = 0.0
    while index < bytes.endIndex, index - start < 20 {
      let byte = bytes[index]
      if byte == UInt8(ascii: "."), scale == 0 {
        scale = 1
      } else if byte.isASCIIDigit {
        value = value * 10 + Double(byte - UInt8(ascii: "0"))
        scale *= 10
      } else {
        break
      }
      index += 1
    }
    guard bytes[start..<index].contains(where: { $0.isASCIIDigit }) else { return nil }
    return scale > 0 ? value / scale : value
  }

  /// A number without its fraction; numbers too large to have one are unchanged.
  private static func whole(_ value: Double) -> Double {
    abs(value) < greatest ? Double(Int(value)) : value
  }

  private static func rounded(_ value: Double, _ places: Int) -> Double? {
    var scale = 1.0
    for _ in 0..<abs(places) { scale *= 10 }
    let scaled = places < 0 ? value / scale : value * scale
    // A number with more digits has nothing to round.
    guard abs(scaled) < greatest else { return value.isFinite ? value : nil }
    let result = Double(Int(scaled + (scaled < 0 ? -0.5 : 0.5)))
    return places < 0 ? result * scale : result / scale
  }

  private static func text(_ value: Double) -> Text? {
    guard abs(value) < greatest else { return nil }
    var decimals = 12
    var scale = 1e12
    while decimals > 0, max(abs(value), 1) * scale >= greatest {
      decimals -= 1
      scale /= 10
    }
    let scaled = Int(abs(value) * scale + 0.5)
    let unit = Int(scale)
    var digits = Text(scaled % unit, digits: decimals).bytes
    while let last = digits.last, last == UInt8(ascii: "0") { digits.removeLast() }
    let sign: Text = value < 0 && scaled > 0 ? "-" : ""
    let whole = sign + Text(decimal: scaled / unit)
    return decimals == 0 || digits.isEmpty ? whole : whole + "." + Text(digits)
  }
}
