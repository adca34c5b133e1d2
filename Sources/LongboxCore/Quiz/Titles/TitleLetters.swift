// Longbox
// SPDX-License-Identifier: MIT

/// Converts titles to comparable letters: search's folding, extended for East Asian scripts.
///
/// Hangul syllables are decomposed, so that composed and decomposed spellings are equal and a typing error is
/// one letter. Katakana becomes hiragana, and voiced kana become unvoiced, because folding drops voice marks.
enum TitleLetters {
  /// The maximum number of scalars read from a title or guess; no song title is that long.
  static let longestText = 300

  /// The scalars of a text; invalid UTF-8 becomes spaces.
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

  /// The role of a scalar in a title.
  enum Kind {
    /// Ends a word.
    case separator
    /// A letter of a word, or a scalar that folds to nothing.
    case letter
    case digit
  }

  /// Appends the comparable form of a scalar and returns its role.
  static func append(_ scalar: UInt32, to letters: inout [UInt32]) -> Kind {
    if let syllable = syllable(scalar) {
      letters.append(contentsOf: syllable)
      return .letter
    }
    // Standalone voice marks.
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

  /// Whether a folded scalar is a letter, as opposed to a symbol or emoji.
  static func isLetter(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x2600...0x27BF, 0x1F000...0x1FAFF: false
    // The ideographic iteration mark, and standalone Korean letters.
    case 0x3005...0x3007, 0x3131...0x318E: true
    case 0x30FB: false
    default: Folding.role(of: scalar) != .separator
    }
  }

  /// Whether a letter is not in the Latin script.
  static func isForeign(_ letter: UInt32) -> Bool { letter >= 0x0370 && !(0x1E00...0x1EFF).contains(letter) }

  /// Whether a letter carries as much as a syllable or word: kana and ideographs.
  static func isWide(_ letter: UInt32) -> Bool { letter >= 0x3005 && !(0x3131...0x318E).contains(letter) }

  /// The letters of a Hangul syllable, computed as in the Unicode Standard, section 3.12.
  private static func syllable(_ scalar: UInt32) -> [UInt32]? {
    guard (0xAC00...0xD7A3).contains(scalar) else { return nil }
    let index = scalar - 0xAC00
    let final = index % 28
    let letters = [0x1100 + index / 588, 0x1161 + index % 588 / 28]
    return final == 0 ? letters : letters + [0x11A7 + final]
  }

  /// The letters with each Hangul syllable recomposed to one number; nil if there are none.
  static func syllables(_ letters: [UInt32]) -> [UInt32]? {
    guard letters.contains(where: { (0x1100...0x1112).contains($0) }) else { return nil }
    var syllables: [UInt32] = []
    for letter in letters {
      // A vowel or final consonant attaches to the preceding letter.
      let isBound = (0x1161...0x11C2).contains(letter)
      if isBound, let start = syllables.last, start >= 0x1100 {
        syllables[syllables.count - 1] = start &* 0x200 &+ (letter & 0x1FF)
      } else {
        syllables.append(letter)
      }
    }
    return syllables
  }

  /// The hiragana of a kana, without a voice mark.
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
