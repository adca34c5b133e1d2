// Longbox
// SPDX-License-Identifier: MIT

/// English number words, so that `7`, `VII` and `seven` are equal.
///
/// Numbers are compared as words, because `53` and `54` are one typing error apart, but `fifty-three` and
/// `fifty-four` are not.
enum NumberWords {
  /// The words that numbers consist of; a word's index is its code.
  private static let cardinals: [StaticString] = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
    "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety", "hundred", "thousand",
  ]

  /// The same words as ordinals; their codes follow.
  private static let ordinals: [StaticString] = [
    "zeroth", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
    "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth",
    "nineteenth", "twentieth", "thirtieth", "fortieth", "fiftieth", "sixtieth", "seventieth", "eightieth",
    "ninetieth", "hundredth", "thousandth",
  ]

  /// The first letters of all number words; most other words are rejected by them quickly.
  private static let firstLetters: [UInt32] = [0x65, 0x66, 0x68, 0x6E, 0x6F, 0x73, 0x74, 0x7A]

  private static let hundred = 28
  private static let thousand = 29

  /// The code of a number word, or nil.
  static func code(of letters: [UInt32]) -> UInt8? {
    guard (3...11).contains(letters.count), firstLetters.contains(where: { $0 == letters[0] }) else {
      return nil
    }
    for (index, word) in cardinals.enumerated() where word.isEqual(toScalars: letters) {
      return UInt8(truncatingIfNeeded: index)
    }
    for (index, word) in ordinals.enumerated() where word.isEqual(toScalars: letters) {
      return UInt8(truncatingIfNeeded: index + cardinals.count)
    }
    return nil
  }

  static func letters(of code: UInt8) -> [UInt32] {
    let place = Int(code)
    let word = place < cardinals.count ? cardinals[place] : ordinals[place - cardinals.count]
    return word.utf8Bytes.map { UInt32($0) }
  }

  /// The codes of a number in digits.
  ///
  /// Years are read as two numbers (`1979`, `2012`). Numbers with more than four digits or a leading zero are
  /// read digit by digit.
  /// - Parameters:
  ///   - digits: decimal digits, as scalars.
  ///   - isOrdinal: whether `st`, `nd`, `rd` or `th` follows.
  static func codes(ofDigits digits: [UInt32], isOrdinal: Bool = false) -> [UInt8] {
    let values = digits.map { Int($0) - 0x30 }
    guard values.count <= 4, values.count == 1 || values.first != 0 else { return values.map { UInt8($0) } }
    var codes = codes(of: values.reduce(0) { $0 * 10 + $1 })
    if isOrdinal, let last = codes.popLast() { codes.append(last + UInt8(cardinals.count)) }
    return codes
  }

  /// The codes of a number from 0 to 9,999.
  static func codes(of value: Int) -> [UInt8] {
    var codes: [Int] = []
    let century = value / 100
    if value >= 1100, century % 10 != 0 {
      codes = small(century) + (value % 100 == 0 ? [hundred] : small(value % 100))
    } else {
      if value >= 1000 { codes += small(value / 1000) + [thousand] }
      if value % 1000 >= 100 { codes += small(value / 100 % 10) + [hundred] }
      if value % 100 > 0 || value == 0 { codes += small(value % 100) }
    }
    return codes.map { UInt8(truncatingIfNeeded: $0) }
  }

  private static func small(_ value: Int) -> [Int] {
    guard value >= 20 else { return [value] }
    return value % 10 == 0 ? [18 + value / 10] : [18 + value / 10, value % 10]
  }

  /// The value of a Roman numeral from 2 to 39, or of a single `v` or `x`; nil for `i`, which is a word.
  ///
  /// It reads only `i`, `v` and `x`, because some words consist of `l`, `c`, `d` and `m` (`mix`, `dim`).
  static func roman(_ letters: [UInt32]) -> Int? {
    guard letters.count <= 7 else { return nil }
    var value = 0
    for letter in letters {
      switch letter {
      case 0x69: value += 1
      case 0x76: value += value % 10 == 1 ? 3 : 5
      case 0x78: value += value % 10 == 1 ? 8 : 10
      default: return nil
      }
    }
    return value > 1 && isWritten(letters, as: value) ? value : nil
  }

  /// Whether a numeral is the standard form of its value: `iv`, not `iiii`.
  private static func isWritten(_ letters: [UInt32], as value: Int) -> Bool {
    guard value < 40 else { return false }
    let units: [StaticString] = ["", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix"]
    let tens = Array(repeating: UInt32(0x78), count: value / 10)
    return tens + units[value % 10].utf8Bytes.map { UInt32($0) } == letters
  }
}

extension StaticString {
  func isEqual(toScalars scalars: some Collection<UInt32>) -> Bool {
    guard utf8CodeUnitCount == scalars.count, hasPointerRepresentation else { return false }
    var place = 0
    for scalar in scalars {
      guard scalar == UInt32(utf8Start[place]) else { return false }
      place += 1
    }
    return true
  }
}

extension [StaticString] {
  /// Whether one of the literals consists of these scalars.
  func contains(scalars: some Collection<UInt32>) -> Bool {
    contains { $0.isEqual(toScalars: scalars) }
  }
}
