// Longbox
// SPDX-License-Identifier: MIT

/// The result of matching a guess.
public enum TitleMatch: Equatable, Sendable {
  /// The guess names these tracks, by ascending index; several if their titles are equivalent.
  case tracks([Int])
  /// The guess fits several tracks with different titles, and so counts for none.
  case ambiguous
  /// The guess names no track.
  case none
}

/// Finds the tracks of an album that a guess names, with tolerance for spelling.
///
/// It ignores case, diacritics, width, punctuation, spaces, `&` or "and", leading articles, the notation of
/// numbers, and notes such as "(Live)". Some letters may be wrong, depending on the length, unless another
/// track is almost as close. An exact match of any track has priority over inexact ones.
///
/// Create a matcher once for an album; each guess is compared with every track.
public struct TitleMatcher: Sendable {
  /// How certain a guess has to be.
  public enum Mode: Sendable {
    /// The reader pressed Enter; the guess is complete.
    case whole
    /// The reader is still typing; a guess that may become another title, or one with fewer errors, waits.
    case typing
  }

  /// The maximum number of tracks; further ones never match.
  public static var mostTracks: Int { 500 }

  private let tracks: [TitleSpellings]

  /// Creates a matcher.
  /// - Parameter titles: the titles of all tracks, in the album's order, at most ``mostTracks``.
  public init(titles: [Text]) {
    tracks = titles.prefix(Self.mostTracks).map { TitleSpellings($0) }
  }

  /// Finds the tracks that a guess names.
  /// - Parameters:
  ///   - guess: the reader's input, of which 300 characters count.
  ///   - mode: whether the reader has finished typing.
  public func match(_ guess: Text, _ mode: Mode = .whole) -> TitleMatch {
    let guess = TitleSpellings.ofGuess(guess)
    guard !guess.plain.isEmpty else { return .none }
    let exact = tracks(where: { $0.exact.shares(guess.plain) })
    if !exact.isEmpty { return .tracks(exact) }
    if !guess.bare.isEmpty {
      // A typed version such as "(Live)" is matched, with errors, before it is ignored.
      if case .tracks(let found) = nearest(guess.plain, mode) { return .tracks(found) }
      let bare = tracks(where: { $0.exact.shares(guess.bare) })
      if !bare.isEmpty { return .tracks(bare) }
    }
    let loose = guess.plain + guess.bare
    let found = tracks(where: { track in
      track.translated.shares(loose) || track.loose.shares(loose) || track.exact.shares(guess.loose)
        || track.loose.shares(guess.loose)
    })
    if !found.isEmpty { return settled(found, guess.plain, errors: 0, mode) }
    return nearest(loose, mode)
  }

  /// Whether two tracks have equivalent titles, so that one answer names both.
  public func areAlike(_ track: Int, _ other: Int) -> Bool {
    guard tracks.indices.contains(track), tracks.indices.contains(other) else { return false }
    return track == other || tracks[track].exact.shares(tracks[other].exact)
  }

  /// The tracks nearest to a guess with errors.
  private func nearest(_ guess: [TitleKey], _ mode: Mode) -> TitleMatch {
    var found: [Int] = []
    var least = Int.max
    var distances: [Int?] = []
    for (index, track) in tracks.enumerated() {
      let near = distance(of: guess, to: track)
      distances.append(near.any)
      guard let admitted = near.admitted, admitted <= least else { continue }
      if admitted < least { found.removeAll() }
      least = admitted
      found.append(index)
    }
    guard let first = found.first else { return .none }
    // With two or more errors, the lead over other tracks must be two.
    let margin = least > 1 ? 2 : 1
    for (index, distance) in distances.enumerated() where !found.contains(index) {
      if let distance, distance < least + margin, !areAlike(first, index) { return .ambiguous }
    }
    return settled(found, guess, errors: least, mode)
  }

  /// The distance to a track's nearest spelling, and to the nearest one that admits the guess.
  private func distance(of guess: [TitleKey], to track: TitleSpellings) -> (any: Int?, admitted: Int?) {
    var nearest: Int?
    var admitted: Int?
    for keys in [track.exact, track.translated] {
      for key in keys {
        for typed in guess {
          guard let distance = key.distance(to: typed, limit: key.forgiven + 1) else { continue }
          nearest = min(nearest ?? distance, distance)
          if key.admits(typed, distance: distance) { admitted = min(admitted ?? distance, distance) }
        }
      }
    }
    return (nearest, admitted)
  }

  /// Returns the tracks, unless their titles differ or the typed text may become another title.
  private func settled(_ found: [Int], _ guess: [TitleKey], errors: Int, _ mode: Mode) -> TitleMatch {
    for track in found where !areAlike(found[0], track) { return .ambiguous }
    guard mode == .typing else { return .tracks(found) }
    for track in tracks {
      for key in track.exact + track.translated {
        for typed in guess where key.letters.count > typed.letters.count {
          let beginning = Array(key.letters.prefix(typed.letters.count))
          if TitleDistance.between(typed.letters, beginning, limit: errors) != nil { return .none }
        }
      }
    }
    return .tracks(found)
  }

  private func tracks(where isWanted: (TitleSpellings) -> Bool) -> [Int] {
    tracks.indices.filter { isWanted(tracks[$0]) }
  }
}

extension [TitleKey] {
  /// Whether both have a spelling in common.
  fileprivate func shares(_ others: [TitleKey]) -> Bool {
    contains { key in others.contains { $0.letters == key.letters } }
  }
}

/// The spellings that match a title.
private struct TitleSpellings {
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
      let words = parts.words { other, _ in other == index }
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
      let tail = parts.words { other, _ in other == index }
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
    for index in indices.dropFirst() {
      let isForeign = self[index].letters.contains(where: TitleLetters.isForeign)
      guard isForeign != self[index - 1].letters.contains(where: TitleLetters.isForeign) else { continue }
      guard change == nil else { return nil }
      change = index
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
