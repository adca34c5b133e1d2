// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// Something that an answer needs and that is not in memory.
///
/// A host has a loader for each kind.
public indirect enum Need: Equatable, Sendable {
  /// The newest comic, where the archive has none.
  case latest
  /// The text of a comic.
  case comic(Comic.Number)
  /// The facts of a comic's picture, so that its place can be laid out.
  case picture(Comic.Number)
  /// The beginning of a comic's explanation, as far as it is stored: no source is asked.
  case explanationLead(Comic.Number)
  /// The whole explanation of a comic.
  case explanation(Comic.Number)
  /// The plain text of a comic's explanation, for a snippet of it, as far as it is at hand.
  case explanationText(Comic.Number)
  /// What a search finds.
  case search(SearchQuestion)
  /// Artists by name, and the artists that the reader looked at lately.
  case artists(Text, StoreCountry?, recent: [RecentArtist])
  /// An artist's albums.
  case discography(StoreID, StoreCountry?, AlbumSelection)
  /// An album, for its page.
  case album(StoreID, StoreCountry?)
  /// An album with its tracks, for a quiz.
  case quizAlbum(StoreID, StoreCountry?)
  /// The same, as far as it is at hand: no source is asked.
  case storedAlbum(StoreID, StoreCountry)
  /// An answer that only the server can give.
  case server
}
