// Longbox
// SPDX-License-Identifier: MIT

/// A spelling of a title in the form that is compared: only its letters.
///
/// Without spaces `inside out`, `inside-out` and `insideout` are equal.
struct TitleKey {
  var letters: [UInt32]
  /// The number words, as codes of ``NumberWords``.
  var numbers: [UInt8]
  /// The last word if it is a single letter, which distinguishes `Plan A` from `Plan B`.
  var lastLetter: UInt32?
  /// The set of letters, as bits; several letters may share a bit.
  private var letterSet: UInt64 = 0
  /// The letters composed to Hangul syllables, if there are any; other letters are unchanged.
  private var syllables: [UInt32]?

  /// - Parameters:
  ///   - words: the words.
  ///   - isWritten: whether to use the words' written spelling.
  init(_ words: some Collection<TitleWord>, isWritten: Bool = false) {
    letters = []
    numbers = []
    lastLetter = nil
    for word in words {
      letters.append(contentsOf: isWritten ? word.written ?? word.letters : word.letters)
      if let number = word.number { numbers.append(number) }
      lastLetter = word.letters.count == 1 ? word.letters[0] : nil
    }
    noteLetters()
  }

  /// Creates a key from symbols, for a title without letters.
  init(signs: [UInt32]) {
    letters = signs.filter { $0 > 0x20 && $0 != 0x3000 }
    numbers = []
    lastLetter = nil
    noteLetters()
  }

  private mutating func noteLetters() {
    for letter in letters { letterSet |= 1 << UInt64(letter & 63) }
    syllables = TitleLetters.syllables(letters)
  }

  /// The keys of some words: complete, without a leading article, without "and", without both, and as
  /// written.
  static func keys(of words: [TitleWord]) -> [TitleKey] {
    var keys = [TitleKey(words)]
    let isArticled = words.count > 1 && words[0].isOne(of: ["the", "a", "an"])
    if isArticled { keys.append(TitleKey(words[1...])) }
    if words.contains(where: { $0.isOptional }) {
      let kept = words.filter { !$0.isOptional }
      keys.append(TitleKey(kept))
      if isArticled, kept.count > 1 { keys.append(TitleKey(kept[1...])) }
    }
    if words.contains(where: { $0.written != nil }) {
      keys.append(TitleKey(words, isWritten: true))
      if isArticled { keys.append(TitleKey(words[1...], isWritten: true)) }
    }
    return keys.filter { !$0.letters.isEmpty }
  }

  /// The number of typing errors allowed.
  ///
  /// Kana and ideographs carry as much as several letters, so fewer may be wrong.
  var forgiven: Int {
    let count = letters.count
    if letters.contains(where: TitleLetters.isWide) { return count < 5 ? 0 : count < 10 ? 1 : 2 }
    return count < 3 ? 0 : count < 9 ? 1 : count < 16 ? 2 : 3
  }

  /// The distance to a guess, or nil if it exceeds the limit.
  ///
  /// In Hangul a wrong, missing or misplaced syllable counts as one error, as does a letter.
  func distance(to guess: TitleKey, limit: Int) -> Int? {
    let letters = distanceInLetters(to: guess, limit: limit)
    guard letters ?? 2 > 1, let syllables, syllables.count > 3, let guessed = guess.syllables else {
      return letters
    }
    return TitleDistance.between(guessed, syllables, limit: 1) ?? letters
  }

  private func distanceInLetters(to guess: TitleKey, limit: Int) -> Int? {
    // One error changes at most two letters of the set.
    guard (letterSet ^ guess.letterSet).nonzeroBitCount <= 2 * limit else { return nil }
    return TitleDistance.between(guess.letters, letters, limit: limit)
  }

  /// Whether a guess at this distance may mean this title.
  ///
  /// Errors are not allowed in numbers, in a single letter at the end, and in the first letter of a short
  /// title. But one error may turn a word into a number word, or a number word into another word.
  func admits(_ guess: TitleKey, distance: Int) -> Bool {
    guard distance <= forgiven else { return false }
    if let lastLetter, guess.lastLetter != lastLetter { return false }
    if letters.count <= 4, letters.first != guess.letters.first, !isSwapped(guess) { return false }
    return numbers == guess.numbers || distance <= 1 && hasOneNumberMoreOrLess(guess)
  }

  private func hasOneNumberMoreOrLess(_ guess: TitleKey) -> Bool {
    let (more, less) =
      numbers.count > guess.numbers.count ? (numbers, guess.numbers) : (guess.numbers, numbers)
    guard more.count == less.count + 1 else { return false }
    return more.indices.contains { more[..<$0] + more[($0 + 1)...] == less[...] }
  }

  /// Whether the guess has the first two letters swapped.
  private func isSwapped(_ guess: TitleKey) -> Bool {
    letters.count > 1 && guess.letters.count > 1 && letters[0] == guess.letters[1]
      && letters[1] == guess.letters[0]
  }
}

/// The edit distance of two spellings (optimal string alignment), up to a limit.
///
/// Search's ``EditDistance`` compares a word with a sorted dictionary, by bytes. This one compares whole
/// titles, by letters of any script.
enum TitleDistance {
  /// The distance, or nil if it exceeds the limit.
  static func between(_ left: [UInt32], _ right: [UInt32], limit: Int) -> Int? {
    guard abs(left.count - right.count) <= limit else { return nil }
    let beyond = limit + 1
    var before: [Int] = []
    var above = (0...right.count).map { min($0, beyond) }
    for row in 1..<(left.count + 1) {
      var current = Array(repeating: beyond, count: right.count + 1)
      current[0] = min(row, beyond)
      var least = current[0]
      let first = max(1, row - limit)
      let last = min(right.count, row + limit)
      for column in first..<(max(first, last + 1)) {
        var best = above[column - 1] + (left[row - 1] == right[column - 1] ? 0 : 1)
        best = min(best, above[column] + 1, current[column - 1] + 1)
        if row > 1, column > 1, left[row - 1] == right[column - 2], left[row - 2] == right[column - 1] {
          best = min(best, before[column - 2] + 1)
        }
        current[column] = min(best, beyond)
        least = min(least, best)
      }
      // A swap may still reach back over this row.
      if least > limit, (above.min() ?? beyond) > limit { return nil }
      before = above
      above = current
    }
    return above[right.count] <= limit ? above[right.count] : nil
  }
}
