// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// Data that a page needs and that isn't in memory; a host has a loader for each kind.
public indirect enum Need: Equatable, Sendable {
  /// The newest comic, if the archive is empty.
  case latest
  /// The text of a comic.
  case comic(Comic.Number)
  /// The size of a comic's picture, for the layout.
  case picture(Comic.Number)
  /// The stored lead of a comic's explanation; nothing is fetched.
  case explanationLead(Comic.Number)
  /// The full explanation of a comic.
  case explanation(Comic.Number)
  /// The plain text of a comic's explanation for a snippet, if available.
  case explanationText(Comic.Number)
  /// The results of a search.
  case search(SearchQuestion)
  /// Artists by name, and the artists that the reader visited recently.
  case artists(Text, StoreCountry?, recent: [RecentArtist])
  /// An artist's albums.
  case discography(StoreID, StoreCountry?, AlbumSelection)
  /// An album, for its page.
  case album(StoreID, StoreCountry?)
  /// An album with its tracks, for a quiz.
  case quizAlbum(StoreID, StoreCountry?)
  /// The stored album with its tracks; nothing is fetched.
  case storedAlbum(StoreID, StoreCountry)
  /// The comics whose picture is stored on this device.
  case storedComics
  /// A response that only the server can give.
  case server
}
