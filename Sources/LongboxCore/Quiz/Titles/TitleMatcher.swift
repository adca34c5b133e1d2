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
