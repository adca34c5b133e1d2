// Longbox
// SPDX-License-Identifier: MIT

/// What a guess is taken for.
public enum TitleMatch: Equatable, Sendable {
  /// It names these tracks, by their places, ascending; several where their titles are told alike.
  case tracks([Int])
  /// It may be meant for several tracks that are not alike, and so is taken for none.
  case ambiguous
  /// It names none.
  case none
}

/// Tells which tracks of an album a guess names, forgiving the way in which it is typed.
///
/// Case, diacritics, width, punctuation, spaces, `&` or "and", leading articles, numbers in digits, letters or Roman
/// numerals, and whatever says which recording it is don't matter. A few letters may be wrong, by the title's length,
/// where no other track is nearly as near. A title is never taken for another one, unless the two are told alike:
/// whatever is typed exactly is looked for first, among all tracks.
///
/// A matcher is made for an album once and asked for each guess; an album's tracks are compared one by one.
public struct TitleMatcher: Sendable {
  /// How sure a guess has to be.
  public enum Manner: Sendable {
    /// The reader has pressed Enter: the guess is whole.
    case whole
    /// The reader is typing on: what may become another title, or the same with fewer errors, waits.
    case typing
  }

  /// The most tracks of an album; further ones are never matched.
  public static var mostTracks: Int { 500 }

  private let tracks: [TitleSpellings]

  /// Makes a matcher.
  /// - Parameter titles: the titles of all tracks, in the album's order, at most ``mostTracks``.
  public init(titles: [Text]) {
    tracks = titles.prefix(Self.mostTracks).map { TitleSpellings($0) }
  }

  /// Which tracks a guess names.
  /// - Parameters:
  ///   - guess: what the reader typed; 300 characters of it count.
  ///   - manner: whether the reader is done typing.
  public func match(_ guess: Text, _ manner: Manner = .whole) -> TitleMatch {
    let guess = TitleSpellings.ofGuess(guess)
    guard !guess.plain.isEmpty else { return .none }
    let exact = tracks(where: { $0.exact.shares(guess.plain) })
    if !exact.isEmpty { return .tracks(exact) }
    if !guess.bare.isEmpty {
      // Which recording was typed, perhaps with an error, counts before it is left out.
      if case .tracks(let found) = nearest(guess.plain, manner) { return .tracks(found) }
      let bare = tracks(where: { $0.exact.shares(guess.bare) })
      if !bare.isEmpty { return .tracks(bare) }
    }
    let loose = guess.plain + guess.bare
    let found = tracks(where: { track in
      track.translated.shares(loose) || track.loose.shares(loose) || track.exact.shares(guess.loose)
        || track.loose.shares(guess.loose)
    })
    if !found.isEmpty { return settled(found, guess.plain, errors: 0, manner) }
    return nearest(loose, manner)
  }

  /// Whether two tracks are told alike, so that one answer names both.
  public func areAlike(_ track: Int, _ other: Int) -> Bool {
    guard tracks.indices.contains(track), tracks.indices.contains(other) else { return false }
    return track == other || tracks[track].exact.shares(tracks[other].exact)
  }

  /// The tracks that a guess with errors is nearest to.
  private func nearest(_ guess: [TitleKey], _ manner: Manner) -> TitleMatch {
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
    // What is two letters or more off must be so much nearer than anything else.
    let margin = least > 1 ? 2 : 1
    for (index, distance) in distances.enumerated() where !found.contains(index) {
      if let distance, distance < least + margin, !areAlike(first, index) { return .ambiguous }
    }
    return settled(found, guess, errors: least, manner)
  }

  /// The distance to a track's nearest spelling, and to the nearest that such a guess may be meant for.
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

  /// The tracks, unless they are not alike, or the reader is typing what may become something else.
  private func settled(_ found: [Int], _ guess: [TitleKey], errors: Int, _ manner: Manner) -> TitleMatch {
    for track in found where !areAlike(found[0], track) { return .ambiguous }
    guard manner == .typing else { return .tracks(found) }
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
  /// Whether a spelling stands in both.
  fileprivate func shares(_ others: [TitleKey]) -> Bool {
    contains { key in others.contains { $0.letters == key.letters } }
  }
}
