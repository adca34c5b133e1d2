// Longbox
// SPDX-License-Identifier: MIT

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
