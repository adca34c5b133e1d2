// Longbox
// SPDX-License-Identifier: MIT

/// A question with answers to choose from.
public struct ChoiceQuestion: Equatable, Sendable {
  /// The track whose mark the answer is: the one that comes next, or the one whose album is asked.
  public let track: Int
  /// What is asked about: the title before, or the title.
  public let title: Text
  /// The answers: titles, or names of albums; no two say the same.
  public let choices: [Text]
  /// The place of the right one.
  public let right: Int

  /// The most answers of a question.
  static let mostChoices = 4

  /// The question which track comes after the one before this.
  ///
  /// - Returns: nothing for the first track, where two tracks before are told alike and go on differently, or where
  ///   there is nothing else to choose.
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
  ///
  /// - Returns: nothing where a track on another album is told alike, or where there is nothing else to choose.
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

  /// A question whose right answer is the first of those chosen.
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
  /// On which album a track is that was counted through all of them, and at which place there.
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
