// Longbox
// SPDX-License-Identifier: MIT

/// A word of a title or guess in the form that is compared.
struct TitleWord: Equatable {
  /// The folded letters, in the canonical spelling.
  var letters: [UInt32]
  /// The folded letters as written, if different; errors are counted in these.
  var written: [UInt32]?
  /// The code of a number word, as in ``NumberWords``.
  var number: UInt8?
  /// Whether the title is the same without the word: "and", or the meaning of `#`.
  var isOptional = false

  init(_ letters: [UInt32], isOptional: Bool = false) {
    self.letters = letters
    self.isOptional = isOptional
    number = NumberWords.code(of: letters)
  }

  /// Creates a number word from digits or a Roman numeral.
  init(number: UInt8) {
    letters = NumberWords.letters(of: number)
    self.number = number
  }

  init(_ literal: StaticString, for written: [UInt32]? = nil, isOptional: Bool = false) {
    self.init(literal.utf8Bytes.map { UInt32($0) }, isOptional: isOptional)
    self.written = written
  }

  func isOne(of words: [StaticString]) -> Bool { words.contains(scalars: letters) }

  /// Words before a number that number the parts of a work.
  static let partWords: [StaticString] = [
    "part", "volume", "chapter", "act", "scene", "movement", "number", "disc", "take",
  ]

  /// The words of some scalars, with numbers as words and abbreviations in their canonical spelling.
  static func words(of scalars: [UInt32]) -> [TitleWord] {
    var words: [TitleWord] = []
    let pieces = TitlePiece.pieces(of: scalars)
    var index = 0
    while index < pieces.count {
      let piece = pieces[index]
      let next = index + 1 < pieces.count ? pieces[index + 1] : nil
      index += 1
      if piece.isNumber {
        let isOrdinal = next.map { $0.isGlued && ordinalEndings.contains(scalars: $0.letters) } ?? false
        if isOrdinal { index += 1 }
        for code in NumberWords.codes(ofDigits: piece.letters, isOrdinal: isOrdinal) {
          words.append(TitleWord(number: code))
        }
      } else if let value = numeral(piece.letters, after: words.last) {
        for code in NumberWords.codes(of: value) { words.append(TitleWord(number: code)) }
      } else {
        words.append(word(piece.letters, isBeforeNumber: next?.isNumber ?? false))
      }
    }
    return words
  }

  private static let ordinalEndings: [StaticString] = ["st", "nd", "rd", "th"]

  /// The value of a Roman numeral; a single `i` counts only after "part" and the like.
  private static func numeral(_ letters: [UInt32], after word: TitleWord?) -> Int? {
    if letters == [0x69] { return word.map { $0.isOne(of: partWords) } ?? false ? 1 : nil }
    return NumberWords.roman(letters)
  }

  /// Creates a word in its canonical spelling.
  private static func word(_ letters: [UInt32], isBeforeNumber: Bool) -> TitleWord {
    for row in spellings where row.written.isEqual(toScalars: letters) {
      return TitleWord(row.read, for: letters)
    }
    if letters == [TitlePiece.and] { return TitleWord("and", isOptional: true) }
    if letters == [TitlePiece.hash] { return TitleWord("number", isOptional: true) }
    if isBeforeNumber, ["no", "nos", "nr"].contains(scalars: letters) {
      return TitleWord("number", for: letters)
    }
    return TitleWord(letters, isOptional: ["and"].contains(scalars: letters))
  }

  private static let spellings: [(written: StaticString, read: StaticString)] = [
    ("pt", "part"), ("pts", "part"), ("parts", "part"), ("vol", "volume"), ("mvt", "movement"),
    ("u", "you"), ("ur", "your"), ("n", "and"), ("vs", "versus"),
    ("st", "saint"), ("mr", "mister"), ("dr", "doctor"), ("ok", "okay"),
  ]
}

/// A run of letters or digits in a title.
private struct TitlePiece {
  /// The folded letters or digits, or one of the two symbols that count as words.
  var letters: [UInt32] = []
  var isNumber = false
  /// Whether it directly follows the previous piece.
  var isGlued = false

  /// The code for `&` and `+`.
  static let and: UInt32 = 0x26
  /// The code for `#` before a number.
  static let hash: UInt32 = 0x23

  /// Splits scalars into pieces.
  ///
  /// Apostrophes join letters (`don't`), commas join digits (`10,000`), and `$` between letters is an `s`.
  static func pieces(of scalars: [UInt32]) -> [TitlePiece] {
    var pieces: [TitlePiece] = []
    var isApart = true
    for (index, scalar) in scalars.enumerated() {
      if isJoint(scalar, at: index, in: scalars) { continue }
      if let sign = sign(scalar, at: index, in: scalars) {
        pieces.append(TitlePiece(letters: [sign]))
        isApart = true
        continue
      }
      var letters: [UInt32] = []
      let isDollar =
        scalar == 0x24 && index > 0 && isLetter(index - 1, scalars) && isLetter(index + 1, scalars)
      let kind = TitleLetters.append(isDollar ? 0x73 : scalar, to: &letters)
      guard kind != .separator else {
        isApart = true
        continue
      }
      guard !letters.isEmpty else { continue }
      let isNumber = kind == .digit
      if isApart || pieces.last?.isNumber != isNumber {
        pieces.append(TitlePiece(isNumber: isNumber, isGlued: !isApart))
        isApart = false
      }
      pieces[pieces.count - 1].letters.append(contentsOf: letters)
    }
    return pieces
  }

  private static func isJoint(_ scalar: UInt32, at index: Int, in scalars: [UInt32]) -> Bool {
    switch scalar {
    case 0x27, 0x60, 0xB4, 0x2018, 0x2019, 0x2BC, 0x2032: true
    case 0x2C:
      index > 0 && isDigit(index - 1, scalars) && (1...3).allSatisfy { isDigit(index + $0, scalars) }
        && !isDigit(index + 4, scalars)
    default: false
    }
  }

  private static func sign(_ scalar: UInt32, at index: Int, in scalars: [UInt32]) -> UInt32? {
    switch scalar {
    case 0x26, 0x2B, 0xFF06: and
    case 0x23, 0x2116: isDigit(index + 1, scalars) ? hash : nil
    default: nil
    }
  }

  private static func isDigit(_ index: Int, _ scalars: [UInt32]) -> Bool {
    scalars.indices.contains(index) && (0x30...0x39).contains(scalars[index])
  }

  private static func isLetter(_ index: Int, _ scalars: [UInt32]) -> Bool {
    guard scalars.indices.contains(index) else { return false }
    var letters: [UInt32] = []
    return TitleLetters.append(scalars[index], to: &letters) == .letter
  }
}

/// English number words, so that `7`, `VII` and `seven` are equal.
///
/// Numbers are compared as words, because `53` and `54` are one typing error apart, but `fifty-three` and
/// `fifty-four` are not.
private enum NumberWords {
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
    let index = Int(code)
    let word = index < cardinals.count ? cardinals[index] : ordinals[index - cardinals.count]
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
    var index = 0
    for scalar in scalars {
      guard scalar == UInt32(utf8Start[index]) else { return false }
      index += 1
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
