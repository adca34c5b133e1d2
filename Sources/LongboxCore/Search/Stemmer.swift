// Longbox
// SPDX-License-Identifier: MIT

/// Reduces forms of an English word to a common stem by removing endings.
///
/// Stems are compared only with each other. The index contains words as written, so that exact matches count
/// more than other forms, and typing errors are measured on words. Words with fewer than four bytes or with
/// bytes other than `a` to `z` stay unchanged.
enum Stemmer {
  /// Removes inflection and unifies British and American spelling.
  ///
  /// Examples: `cats`, `stories` and `story`, `running`, `coded`, `colour`, `organised` and `organizing`.
  static func reduce(_ word: inout [UInt8]) {
    guard word.count >= 4, word.allSatisfy({ (0x61...0x7A).contains($0) }) else { return }
    takeOffPlural(&word)
    takeOffTense(&word)
    if word.count >= 4, ends(word, "e"), !ends(word, "ee") { word.removeLast() }
    if word.count >= 4, let last = word.last, last == word[word.count - 2], !isVowel(last) {
      word.removeLast()
    }
    if word.count >= 4, ends(word, "y"), !isVowel(word[word.count - 2]) {
      word[word.count - 1] = UInt8(ascii: "i")
    }
    respell(&word)
  }

  /// Removes derivational endings: `introduction` matches `introduce`, `politician` matches `politics`.
  static func deriveRoot(_ word: inout [UInt8]) {
    guard word.count >= 5, word.allSatisfy({ (0x61...0x7A).contains($0) }) else { return }
    for _ in 0..<3 {
      guard let suffix = suffixes.first(where: { word.count >= $0.utf8CodeUnitCount + 4 && ends(word, $0) })
      else {
        break
      }
      word.removeLast(suffix.utf8CodeUnitCount)
    }
    if word.count >= 5, ends(word, "ct") { word.removeLast() }
    if word.count >= 5, let last = word.last, last == UInt8(ascii: "i") || last == UInt8(ascii: "e") {
      word.removeLast()
    }
    if word.count >= 5, let last = word.last, last == word[word.count - 2], !isVowel(last) {
      word.removeLast()
    }
  }

  /// Derivational endings as ``reduce(_:)`` leaves them, longest first.
  private static let suffixes: [StaticString] = [
    "ation", "ition", "ment", "tion", "ible", "ship", "ator", "ical",
    "abl", "ful", "ian", "ibl", "ion", "ism", "ist", "iti", "les", "nes", "anc", "enc", "ous", "ant", "ent",
    "al", "at", "er", "ic", "iv", "iz", "li", "or",
  ]

  private static func takeOffPlural(_ word: inout [UInt8]) {
    guard ends(word, "s") else { return }
    if ends(word, "ies") {
      word.removeLast(word.count > 4 ? 3 : 1)
      if word.count >= 2, !ends(word, "ie") { word.append(UInt8(ascii: "y")) }
    } else if ends(word, "sses") || ends(word, "xes") || ends(word, "ches") || ends(word, "shes")
      || ends(word, "zes")
    {
      word.removeLast(2)
    } else if !ends(word, "ss") && !ends(word, "us") && !ends(word, "is") {
      word.removeLast()
    }
  }

  private static func takeOffTense(_ word: inout [UInt8]) {
    let length: Int
    if ends(word, "ied"), word.count > 4 {
      word.removeLast(3)
      word.append(UInt8(ascii: "y"))
      return
    } else if ends(word, "ing") {
      length = 3
    } else if ends(word, "ed"), !ends(word, "eed") {
      length = 2
    } else {
      return
    }
    guard word.count >= length + 3, word.dropLast(length).contains(where: isVowel) else { return }
    word.removeLast(length)
  }

  /// Converts British to American spelling.
  private static func respell(_ word: inout [UInt8]) {
    if word.count >= 6, ends(word, "our") {
      word.remove(at: word.count - 2)
    } else if word.count >= 5, ends(word, "is") || ends(word, "ys") {
      word[word.count - 1] = UInt8(ascii: "z")
    } else if word.count >= 5, ends(word, "tr") {
      word.insert(UInt8(ascii: "e"), at: word.count - 1)
    } else if word.count >= 6, ends(word, "ogu") {
      word.removeLast()
    }
  }

  private static func isVowel(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a"), UInt8(ascii: "e"), UInt8(ascii: "i"), UInt8(ascii: "o"), UInt8(ascii: "u"),
      UInt8(ascii: "y"):
      true
    default: false
    }
  }

  @inline(__always)
  private static func ends(_ word: [UInt8], _ suffix: StaticString) -> Bool {
    let count = suffix.utf8CodeUnitCount
    guard word.count >= count else { return false }
    for offset in 0..<count where word[word.count - count + offset] != suffix.utf8Start[offset] {
      return false
    }
    return true
  }
}
