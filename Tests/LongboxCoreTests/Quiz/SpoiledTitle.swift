// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import TestSupport

/// Spellings of a title as readers type them, made with Foundation instead of the rules under test.
enum SpoiledTitle {
  /// The title, and variants of case, accents, punctuation and suffix, and with one typo of each kind.
  static func spellings(of title: String, seed: UInt64) -> [String] {
    var random = SeededGenerator(seed: seed)
    let plain = title.firstMatch(of: /\d\W\d/) == nil ? title.filter { !isPunctuation($0) } : title
    let spaced = String(title.map { isPunctuation($0) ? " " : $0 })
    var spellings = [
      title, title.uppercased(), title.lowercased(),
      title.folding(options: .diacriticInsensitive, locale: nil), withoutSuffix(title),
    ]
    for spelling in [plain, spaced] where spelling.contains(where: { $0.isLetter || $0.isNumber }) {
      spellings.append(spelling)
    }
    for kind in Typo.allCases {
      if let typo = misspelt(title, kind, using: &random) { spellings.append(typo) }
    }
    return spellings
  }

  /// The names of a title: with and without its suffix, in plain lower-case letters and digits.
  static func names(of title: String) -> [String] {
    [title, withoutSuffix(title)].map { name in
      let letters = name.folding(options: [.diacriticInsensitive, .caseInsensitive], locale: nil)
        .filter { $0.isLetter || $0.isNumber }
      return letters.hasPrefix("the") ? String(letters.dropFirst(3)) : letters
    }
  }

  /// The title without brackets or " - Single" or " - EP" at its end, unless they hold the number of a part.
  static func withoutSuffix(_ title: String) -> String {
    var rest = title[...]
    for tail in [" - Single", " - EP"] where rest.hasSuffix(tail) { rest = rest.dropLast(tail.count) }
    while rest.last == ")" || rest.last == "]" {
      guard let open = rest.lastIndex(where: { $0 == "(" || $0 == "[" }), open > rest.startIndex else {
        break
      }
      let content = rest[open...].dropFirst()
      guard !content.hasPrefix("Pt"), !content.hasPrefix("Part"),
        content.count > 4 || Int(content.dropLast()) == nil
      else {
        break
      }
      rest = rest[..<open]
      while rest.last == " " { rest.removeLast() }
    }
    return String(rest)
  }

  private enum Typo: CaseIterable { case swapped, missing, doubled, wrong }

  /// The title with one typo among its letters, or nil where none is possible.
  ///
  /// Numbers and names of fewer than three letters stay as they are, because a typo would make another title.
  /// So does the first letter of a name of up to four.
  private static func misspelt(_ title: String, _ kind: Typo, using random: inout SeededGenerator) -> String?
  {
    var letters = Array(title)
    let name = names(of: title)[1]
    let isWide = name.contains { $0.unicodeScalars.allSatisfy { $0.value >= 0x3041 && $0.value < 0xA000 } }
    guard name.count >= (isWide ? 5 : 3) else { return nil }
    let inSuffix = withoutSuffix(title).count
    let places = letters.indices.prefix(inSuffix).filter { place in
      guard letters[place].isLetter, place + 1 < letters.count else { return false }
      let isAlone = !letters[place + 1].isLetter && (place == 0 || !letters[place - 1].isLetter)
      guard !isAlone, place > 0 || name.count > 4 else { return false }
      // One wrong letter makes another Roman numeral, or none.
      let word = letters[..<place].reversed().prefix { $0 != " " } + letters[place...].prefix { $0 != " " }
      guard !word.allSatisfy({ "IVX".contains($0) }), !word.contains(where: \.isNumber) else { return false }
      return kind != .swapped || letters[place + 1].isLetter && letters[place + 1] != letters[place]
    }
    guard let place = places.randomElement(using: &random) else { return nil }
    switch kind {
    case .swapped: letters.swapAt(place, place + 1)
    case .missing: letters.remove(at: place)
    case .doubled: letters.insert(letters[place], at: place)
    case .wrong: letters[place] = letters[place] == "q" ? "w" : "q"
    }
    let spoiled = String(letters)
    // "Mix" without its first letter is nine.
    return numbers(in: spoiled) == numbers(in: title) ? spoiled : nil
  }

  /// The words that can be read as a number.
  private static func numbers(in title: String) -> [String] {
    title.lowercased().split { !$0.isLetter }.map(String.init)
      .filter { word in word.allSatisfy { "ivxlcdm".contains($0) } || numberWords.contains(word) }
  }

  private static let numberWords: Set = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty", "thirty",
    "forty", "fifty", "sixty", "seventy", "eighty", "ninety", "hundred", "thousand", "first", "second",
    "third",
  ]

  private static func isPunctuation(_ character: Character) -> Bool {
    !character.isLetter && !character.isNumber && !character.isWhitespace
  }
}
