// Longbox
// SPDX-License-Identifier: MIT

/// A word of a title or of a guess, as it is compared.
struct TitleWord: Equatable {
  /// The folded letters, by the spelling that all its spellings are compared by.
  var letters: [UInt32]
  /// The folded letters as they are written, where that is another spelling: it is there that a letter may be wrong.
  var written: [UInt32]?
  /// Which part of a number the word is, as ``NumberWords`` counts them.
  var number: UInt8?
  /// Whether a spelling without the word is the same title: "and", or what `#` stands for.
  var isOptional = false

  init(_ letters: [UInt32], isOptional: Bool = false) {
    self.letters = letters
    self.isOptional = isOptional
    number = NumberWords.code(of: letters)
  }

  /// A part of a number that stood in digits or as a Roman numeral.
  init(number: UInt8) {
    letters = NumberWords.letters(of: number)
    self.number = number
  }

  init(_ literal: StaticString, for written: [UInt32]? = nil, isOptional: Bool = false) {
    self.init(literal.utf8Bytes.map { UInt32($0) }, isOptional: isOptional)
    self.written = written
  }

  /// Whether the word is one of some.
  func isOne(of words: [StaticString]) -> Bool { words.contains(scalars: letters) }

  /// Words before a number that tell parts of a work from each other.
  static let partWords: [StaticString] = [
    "part", "volume", "chapter", "act", "scene", "movement", "number", "disc", "take",
  ]

  /// The words of some scalars: numbers written out, abbreviations as one of their spellings.
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

  /// The value of a Roman numeral; a single `i` is one only after "part" and the like.
  private static func numeral(_ letters: [UInt32], after word: TitleWord?) -> Int? {
    if letters == [0x69] { return word.map { $0.isOne(of: partWords) } ?? false ? 1 : nil }
    return NumberWords.roman(letters)
  }

  /// A word by the spelling that all its spellings are compared by.
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
