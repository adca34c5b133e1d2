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
    var place = 0
    while place < pieces.count {
      let piece = pieces[place]
      let next = place + 1 < pieces.count ? pieces[place + 1] : nil
      place += 1
      if piece.isNumber {
        let isOrdinal = next.map { $0.isGlued && ordinalEndings.contains(scalars: $0.letters) } ?? false
        if isOrdinal { place += 1 }
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
