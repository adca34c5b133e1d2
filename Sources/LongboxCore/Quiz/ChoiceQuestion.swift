// Longbox
// SPDX-License-Identifier: MIT

/// A multiple-choice question.
public struct ChoiceQuestion: Equatable, Sendable {
  /// The track that the answer counts for: the next track, or the one whose album is asked for.
  public let track: Int
  /// The title in the question: the track before, or the track itself.
  public let title: Text
  /// The choices, titles or names of albums; no two are equivalent.
  public let choices: [Text]
  /// The index of the right choice.
  public let right: Int

  static let mostChoices = 4

  /// The question which track comes after the previous one.
  /// - Returns: nil for the first track, if two equal titles are followed by different ones, or if there are
  ///   no wrong choices.
  static func next(_ track: Int, in album: QuizAlbum, seed: UInt64) -> ChoiceQuestion? {
    guard album.titles.indices.contains(track), track > 0 else { return nil }
    let before = track - 1
    let matcher = album.matcher
    guard !matcher.areAlike(before, track) else { return nil }
    for other in album.titles.indices.dropFirst() where matcher.areAlike(other - 1, before) {
      guard matcher.areAlike(other, track) else { return nil }
    }
    var random = QuizRandom(seed: seed, stream: track)
    var others = album.titles.indices.filter { !matcher.areAlike($0, track) && !matcher.areAlike($0, before) }
    random.shuffle(&others)
    var chosen = [track]
    for other in others where chosen.count < mostChoices {
      if !chosen.contains(where: { matcher.areAlike($0, other) }) { chosen.append(other) }
    }
    return make(track, title: album.titles[before], chosen, &random) { album.titles[$0] }
  }

  /// The question which album a track is on.
  /// - Returns: nil if another album has a track of equal title, or if there are no wrong choices.
  static func album(of track: Int, by artist: QuizArtist, seed: UInt64) -> ChoiceQuestion? {
    guard let place = artist.place(of: track) else { return nil }
    let title = artist.albums[place.album].titles[place.track]
    for (index, album) in artist.albums.enumerated() where index != place.album {
      if case .tracks = album.matcher.match(title) { return nil }
    }
    var random = QuizRandom(seed: seed, stream: track)
    var others = artist.albums.indices.filter { $0 != place.album }
    random.shuffle(&others)
    var chosen = [place.album]
    for other in others where chosen.count < mostChoices {
      let name = artist.albums[other].name
      if !chosen.contains(where: { artist.albums[$0].name == name }) { chosen.append(other) }
    }
    return make(track, title: title, chosen, &random) { artist.albums[$0].name }
  }

  /// Creates a question; the first of the choices passed in is the right one.
  private static func make(
    _ track: Int,
    title: Text,
    _ chosen: [Int],
    _ random: inout QuizRandom,
    name: (Int) -> Text
  ) -> ChoiceQuestion? {
    guard chosen.count > 1 else { return nil }
    var places = Array(chosen.indices)
    random.shuffle(&places)
    return ChoiceQuestion(
      track: track,
      title: title,
      choices: places.map { name(chosen[$0]) },
      right: places.firstIndex(of: 0) ?? 0
    )
  }
}

extension QuizArtist {
  /// Converts a track number counted through all albums to an album and a track on it.
  package func place(of track: Int) -> (album: Int, track: Int)? {
    guard track >= 0, track < TitleMatcher.mostTracks else { return nil }
    var rest = track
    for (index, album) in albums.enumerated() {
      if rest < album.titles.count { return (index, rest) }
      rest -= album.titles.count
    }
    return nil
  }
}
