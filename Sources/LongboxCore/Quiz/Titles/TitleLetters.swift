// Longbox
// SPDX-License-Identifier: MIT

/// What titles are compared by, letter by letter: search's folding, and what it leaves to the scripts of East Asia.
///
/// Hangul syllables come apart into their letters, so that composed and decomposed spellings are one and a typing
/// error is one letter. Katakana is read as hiragana, and voiced as unvoiced, since a spelling without accents has
/// neither mark.
enum TitleLetters {
  /// The most scalars of a title or guess that are looked at; no title of a song is as long.
  static let longestText = 300

  /// The scalars of a text; bytes that are not UTF-8 are spaces.
  static func scalars(of text: Text) -> [UInt32] {
    var scalars: [UInt32] = []
    let bytes = text.bytes
    var index = bytes.startIndex
    while index < bytes.endIndex, scalars.count < longestText {
      let (value, length) = Tokenizer.scalar(in: bytes, at: index)
      scalars.append(value)
      index += length
    }
    return scalars
  }

  /// What a scalar is in a title.
  enum Kind {
    /// It ends a word.
    case separator
    /// It is a letter of a word, or folds to nothing.
    case letter
    /// It is a digit.
    case digit
  }

  /// Appends what a scalar is compared by, and says what it is.
  static func append(_ scalar: UInt32, to letters: inout [UInt32]) -> Kind {
    if let syllable = syllable(scalar) {
      letters.append(contentsOf: syllable)
      return .letter
    }
    // Marks of voice that stand by themselves.
    if scalar == 0x3099 || scalar == 0x309A { return .letter }
    var kind = Kind.letter
    Folding.fold(scalar) { folded in
      if (0x30...0x39).contains(folded) {
        kind = .digit
        letters.append(folded)
      } else if isLetter(folded) {
        letters.append(plainKana(folded))
      } else {
        kind = .separator
      }
    }
    return kind
  }

  /// Whether a folded scalar is a letter: not a sign, nor an emoji.
  static func isLetter(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x2600...0x27BF, 0x1F000...0x1FAFF: false
    // The sign that repeats an ideograph, and Korean letters by themselves.
    case 0x3005...0x3007, 0x3131...0x318E: true
    case 0x30FB: false
    default: Folding.role(of: scalar) != .separator
    }
  }

  /// Whether a letter belongs to another script than the Latin one.
  static func isForeign(_ letter: UInt32) -> Bool { letter >= 0x0370 && !(0x1E00...0x1EFF).contains(letter) }

  /// Whether a letter carries as much as a syllable or a word: kana, ideographs.
  static func isWide(_ letter: UInt32) -> Bool { letter >= 0x3005 && !(0x3131...0x318E).contains(letter) }

  /// The letters of a Hangul syllable, by arithmetic (The Unicode Standard, section 3.12).
  private static func syllable(_ scalar: UInt32) -> [UInt32]? {
    guard (0xAC00...0xD7A3).contains(scalar) else { return nil }
    let index = scalar - 0xAC00
    let final = index % 28
    let letters = [0x1100 + index / 588, 0x1161 + index % 588 / 28]
    return final == 0 ? letters : letters + [0x11A7 + final]
  }

  /// The letters with those of each Hangul syllable made one number again; nothing where there are none.
  static func syllables(_ letters: [UInt32]) -> [UInt32]? {
    guard letters.contains(where: { (0x1100...0x1112).contains($0) }) else { return nil }
    var syllables: [UInt32] = []
    for letter in letters {
      // A vowel and a final go with what stands before.
      let isBound = (0x1161...0x11C2).contains(letter)
      if isBound, let start = syllables.last, start >= 0x1100 {
        syllables[syllables.count - 1] = start &* 0x200 &+ (letter & 0x1FF)
      } else {
        syllables.append(letter)
      }
    }
    return syllables
  }

  /// Hiragana without a mark of voice, for any kana.
  private static func plainKana(_ scalar: UInt32) -> UInt32 {
    let kana = (0x30A1...0x30F6).contains(scalar) ? scalar - 0x60 : scalar
    switch kana {
    case 0x304B...0x3062: return kana.isMultiple(of: 2) ? kana - 1 : kana
    case 0x3064...0x3069: return kana.isMultiple(of: 2) ? kana : kana - 1
    case 0x306F...0x307D: return 0x306F + (kana - 0x306F) / 3 * 3
    case 0x3094: return 0x3046
    default: return kana
    }
  }
}
