// Longbox
// SPDX-License-Identifier: MIT

/// The spellings that match a title.
struct TitleSpellings {
  /// The title with and without brackets and notes about the recording; these always match.
  private(set) var exact: [TitleKey] = []
  /// The title in each of two scripts, if it has both; matches if no other track does.
  private(set) var translated: [TitleKey] = []
  /// The title without its part number, the text after a dash, or a foreign article; matches if no other
  /// track does.
  private(set) var loose: [TitleKey] = []

  /// The maximum number of independently optional parts; further ones share one choice.
  private static let mostChoices = 3

  init(_ title: Text) {
    let scalars = TitleLetters.scalars(of: title)
    let parts = TitleParts(scalars)
    // Read as a whole, the title may split into other words than part by part.
    exact.add(TitleKey.keys(of: TitleWord.words(of: scalars)))
    addChoices(of: parts)
    if exact.isEmpty { exact.append(TitleKey(signs: scalars)) }
    addTranslations(of: parts)
    addLoose(parts)
  }

  /// The spellings of a guess.
  static func ofGuess(_ guess: Text) -> (plain: [TitleKey], bare: [TitleKey], loose: [TitleKey]) {
    let scalars = TitleLetters.scalars(of: guess)
    let words = TitleWord.words(of: scalars)
    var plain = TitleKey.keys(of: words)
    if plain.isEmpty { plain.append(TitleKey(signs: scalars)) }
    let parts = TitleParts(scalars)
    let hasEdition = parts.parts.contains { $0.kind == .edition }
    let bare = hasEdition ? TitleKey.keys(of: parts.words { $1.kind != .edition }) : []
    return (plain.filter { !$0.letters.isEmpty }, bare, withoutArticle(words))
  }

  /// Adds the title with each combination of optional parts.
  private mutating func addChoices(of parts: TitleParts) {
    var bits = Array(repeating: 0, count: parts.parts.count)
    var count = 0
    for (index, part) in parts.parts.enumerated() where part.kind == .subtitle || part.kind == .edition {
      bits[index] = 1 << min(count, Self.mostChoices - 1)
      count += 1
    }
    for choice in 0..<(1 << min(count, Self.mostChoices)) {
      exact.add(TitleKey.keys(of: parts.words { index, _ in bits[index] & choice == 0 }))
    }
  }

  private mutating func addTranslations(of parts: TitleParts) {
    let main = parts.words { $1.kind == .main }
    for (index, part) in parts.parts.enumerated() where part.kind == .subtitle {
      let words = parts.words { place, _ in place == index }
      if main.isForeign != words.isForeign { translated.add(TitleKey.keys(of: words)) }
    }
    // The title in two languages, as in "봄날 Spring Day".
    guard let change = main.scriptChange else { return }
    translated.add(TitleKey.keys(of: Array(main[..<change])))
    translated.add(TitleKey.keys(of: Array(main[change...])))
  }

  private mutating func addLoose(_ parts: TitleParts) {
    let main = parts.words { $1.kind == .main }
    loose.add(TitleKey.keys(of: main.withoutPartNumber))
    loose.add(Self.withoutArticle(main))
    for (index, part) in parts.parts.enumerated() where part.kind == .tail {
      let tail = parts.words { place, _ in place == index }
      if tail.count > 1 { loose.add(TitleKey.keys(of: tail)) }
    }
    let hasTail = parts.parts.contains { $0.kind == .tail }
    let hasNumber = parts.parts.contains { $0.kind == .number }
    // A single word before a dash is rarely the title: "Kupu - Kupu Malam".
    if hasTail ? main.count > 1 : hasNumber { loose.add(TitleKey.keys(of: main)) }
    guard hasTail, hasNumber else { return }
    loose.add(TitleKey.keys(of: parts.words { $1.kind == .main || $1.kind == .number }))
    loose.add(TitleKey.keys(of: parts.words { $1.kind == .main || $1.kind == .tail }))
  }

  /// The words without a foreign article; empty if they begin with none.
  private static func withoutArticle(_ words: [TitleWord]) -> [TitleKey] {
    guard words.count > 1, words[0].isOne(of: articles) else { return [] }
    let key = TitleKey(words[1...])
    return key.letters.count < 3 ? [] : [key]
  }

  private static let articles: [StaticString] = [
    "der", "die", "das", "den", "ein", "eine", "le", "la", "les", "un", "une", "el", "los", "las", "lo", "il",
    "gli", "uno", "una", "os", "um", "uma", "de", "het", "een", "en", "ett", "det",
  ]
}

extension [TitleKey] {
  /// Appends keys that are not in the array yet.
  fileprivate mutating func add(_ keys: [TitleKey]) {
    for key in keys where !contains(where: { $0.letters == key.letters }) { append(key) }
  }
}

extension [TitleWord] {
  /// Whether the words contain a letter that isn't Latin.
  fileprivate var isForeign: Bool { contains { $0.letters.contains(where: TitleLetters.isForeign) } }

  /// The index at which the script changes, if it changes exactly once.
  fileprivate var scriptChange: Int? {
    var change: Int?
    for place in indices.dropFirst() {
      let isForeign = self[place].letters.contains(where: TitleLetters.isForeign)
      guard isForeign != self[place - 1].letters.contains(where: TitleLetters.isForeign) else { continue }
      guard change == nil else { return nil }
      change = place
    }
    return change
  }

  /// The words without "part two" at the end; empty if they don't end like that.
  fileprivate var withoutPartNumber: [TitleWord] {
    var rest = self[...]
    while let last = rest.last, last.number != nil { rest.removeLast() }
    guard rest.count < count, let last = rest.last, last.isOne(of: TitleWord.partWords) else { return [] }
    return Array(rest.dropLast())
  }
}
