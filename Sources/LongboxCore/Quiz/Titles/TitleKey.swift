// Longbox
// SPDX-License-Identifier: MIT

/// One spelling of a title, as it is compared: its letters without anything between them.
///
/// Without spaces, `inside out`, `inside-out` and `insideout` are one.
struct TitleKey {
  /// The letters of all words.
  var letters: [UInt32]
  /// The numbers among the words, as ``NumberWords`` counts them.
  var numbers: [UInt8]
  /// The last word, where it is a single letter: it tells `Plan A` from `Plan B`.
  var lastLetter: UInt32?
  /// Which letters there are, a bit for each; some share one.
  private var letterSet: UInt64 = 0
  /// The Hangul syllables that the letters make, where there are any; other letters stand between as they are.
  private var syllables: [UInt32]?

  /// - Parameters:
  ///   - words: the words.
  ///   - isWritten: whether they are spelt as they were written.
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

  /// A key of signs, for a title that has no letters.
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

  /// The keys of some words: as they are, without a leading article, without "and", and without both; and as they were
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

  /// How many typing errors are forgiven.
  ///
  /// A letter of kana and an ideograph say as much as several letters, so that fewer of them may be wrong.
  var forgiven: Int {
    let count = letters.count
    if letters.contains(where: TitleLetters.isWide) { return count < 5 ? 0 : count < 10 ? 1 : 2 }
    return count < 3 ? 0 : count < 9 ? 1 : count < 16 ? 2 : 3
  }

  /// How many errors away a guess is, or nothing where that is beyond a limit.
  ///
  /// In Hangul a syllable that is wrong, missing or at the wrong place counts as one error, as does a letter.
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

  /// Whether a guess that is so many errors away may be meant for this.
  ///
  /// Numbers are no place for errors, nor is a single letter at the end, nor the first letter of a short title. But
  /// one error can turn a word into a number, or a number's name into no word at all.
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

  /// Whether the guess begins with the first two letters swapped.
  private func isSwapped(_ guess: TitleKey) -> Bool {
    letters.count > 1 && guess.letters.count > 1 && letters[0] == guess.letters[1]
      && letters[1] == guess.letters[0]
  }
}
