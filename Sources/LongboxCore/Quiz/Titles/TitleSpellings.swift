// Longbox
// SPDX-License-Identifier: MIT

/// The spellings by which a title is known.
struct TitleSpellings {
  /// The title with and without what stands in brackets and what says which recording it is: these are always right.
  private(set) var exact: [TitleKey] = []
  /// The title in its other script, where it carries both: right where no other track is meant.
  private(set) var translated: [TitleKey] = []
  /// The title without its part number, what follows a dash, or an article of another language: right where no
  /// other track is meant.
  private(set) var loose: [TitleKey] = []

  /// What one may choose to leave out is tied together beyond so many stretches.
  private static let mostChoices = 3

  init(_ title: Text) {
    let scalars = TitleLetters.scalars(of: title)
    let parts = TitleParts(scalars)
    // As a whole it may be read otherwise than part by part.
    exact.add(TitleKey.keys(of: TitleWord.words(of: scalars)))
    addChoices(of: parts)
    if exact.isEmpty { exact.append(TitleKey(signs: scalars)) }
    addTranslations(of: parts)
    addLoose(parts)
  }

  /// The spellings of what a reader typed.
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

  /// Adds the title with each choice of what may be left out.
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
    // One title after another, as in "봄날 Spring Day".
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
    // One word before a dash is hardly the title: "Kupu - Kupu Malam".
    if hasTail ? main.count > 1 : hasNumber { loose.add(TitleKey.keys(of: main)) }
    guard hasTail, hasNumber else { return }
    loose.add(TitleKey.keys(of: parts.words { $1.kind == .main || $1.kind == .number }))
    loose.add(TitleKey.keys(of: parts.words { $1.kind == .main || $1.kind == .tail }))
  }

  /// The words without an article of another language; nothing where they begin with none.
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
  /// Adds keys that are not there yet.
  fileprivate mutating func add(_ keys: [TitleKey]) {
    for key in keys where !contains(where: { $0.letters == key.letters }) { append(key) }
  }
}

extension [TitleWord] {
  /// Whether a letter of another script than the Latin one stands in the words.
  fileprivate var isForeign: Bool { contains { $0.letters.contains(where: TitleLetters.isForeign) } }

  /// Where words of one script end and words of another begin, if that happens once.
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

  /// The words without "part two" at their end; none where there is no such thing.
  fileprivate var withoutPartNumber: [TitleWord] {
    var rest = self[...]
    while let last = rest.last, last.number != nil { rest.removeLast() }
    guard rest.count < count, let last = rest.last, last.isOne(of: TitleWord.partWords) else { return [] }
    return Array(rest.dropLast())
  }
}
