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

/// Irregular forms of common English words, and numbers in letters and digits.
enum WordForms {
  /// Groups of forms of one word, separated by spaces.
  private static let groups: [StaticString] = [
    "0 zero", "1 one first 1st", "2 two second 2nd", "3 three third 3rd", "4 four fourth 4th",
    "5 five fifth 5th",
    "6 six sixth", "7 seven seventh", "8 eight eighth", "9 nine ninth", "10 ten tenth", "11 eleven",
    "12 twelve",
    "13 thirteen", "14 fourteen", "15 fifteen", "16 sixteen", "17 seventeen", "18 eighteen", "19 nineteen",
    "20 twenty", "30 thirty", "40 forty", "50 fifty", "60 sixty", "70 seventy", "80 eighty", "90 ninety",
    "100 hundred", "1000 thousand", "1000000 million",
    "beat beaten", "become became", "begin began begun", "bite bit bitten", "blow blew blown",
    "break broke broken", "bring brought", "build built", "buy bought", "catch caught",
    "child children kid kids",
    "choose chose chosen", "come came", "deal dealt", "dig dug", "do did done does", "draw drew drawn",
    "drink drank drunk", "drive drove driven", "eat ate eaten", "fall fell fallen", "feel felt",
    "fight fought",
    "find found", "fly flew flown flies", "foot feet", "forget forgot forgotten", "freeze froze frozen",
    "get got gotten", "give gave given", "go went gone goes", "goose geese", "grow grew grown", "hear heard",
    "hide hid hidden", "hold held", "keep kept", "know knew known", "leave left", "lie lying lied",
    "life lives",
    "lose lost", "make made", "man men", "mean meant", "meet met", "mouse mice", "pay paid", "person people",
    "ride rode ridden", "ring rang rung", "run ran", "say said", "see saw seen", "sell sold", "send sent",
    "shake shook shaken", "shoot shot", "sing sang sung", "sink sank sunk", "sit sat", "sleep slept",
    "speak spoke spoken", "spend spent", "stand stood", "steal stole stolen", "stick stuck", "swim swam swum",
    "take took taken", "teach taught", "tear tore torn", "tell told", "think thought", "throw threw thrown",
    "tooth teeth", "understand understood", "wake woke woken", "wear wore worn", "win won", "wolf wolves",
    "woman women", "write wrote written",
  ]

  /// The words of all groups.
  private static let known: WordFilter = {
    var filter = WordFilter.none
    for group in groups {
      for form in group.utf8Bytes.split(separator: UInt8(ascii: " ")) { filter.insert(form) }
    }
    return filter
  }()

  /// Calls a closure with each other form of a word.
  static func visit(_ word: [UInt8], _ body: (ArraySlice<UInt8>) -> Void) {
    guard
      let first = word.first, first < 0x80,
      known.admits(first, word.count > 1 ? word[1] : 0, length: word.count)
    else { return }
    for group in groups where has(group, word) {
      for form in group.utf8Bytes.split(separator: UInt8(ascii: " ")) where !form.elementsEqual(word) {
        body(form)
      }
    }
  }

  /// Whether a group contains a word; doesn't allocate, because it runs for each word and group.
  private static func has(_ group: StaticString, _ word: [UInt8]) -> Bool {
    let bytes = UnsafeBufferPointer(start: group.utf8Start, count: group.utf8CodeUnitCount)
    var start = 0
    while start + word.count <= bytes.count {
      var length = 0
      while length < word.count, bytes[start + length] == word[length] { length += 1 }
      let end = start + length
      if length == word.count, end == bytes.count || bytes[end] == UInt8(ascii: " ") { return true }
      start = end
      while start < bytes.count, bytes[start] != UInt8(ascii: " ") { start += 1 }
      start += 1
    }
    return false
  }
}
