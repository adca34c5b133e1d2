// Longbox
// SPDX-License-Identifier: MIT

/// What an address below `/albums` asks for; whatever is none of these is for the pages to answer.
enum AlbumRoute: Equatable {
  /// Where artists are looked for.
  case find
  /// An artist's albums, by what stands where the number should.
  case artist(String)
  /// An album.
  case album(String)
  /// An album's page for a device to keep.
  case content(String)
  /// An album's cover.
  case cover(String)
  /// What a reader decides about albums.
  case settings
  /// The quiz on an album.
  case quiz(String)
  /// Where a reader says which article is about an album.
  case pick(String)

  /// Reads the parts of a path that follow `albums`.
  init?(_ parts: [String]) {
    switch (parts.count, parts.first, parts.last) {
    case (0, _, _): self = .find
    case (1, "saved", _), (1, "save", _), (1, "remove", _): return nil
    case (1, "settings", _): self = .settings
    case (1, let album?, _): self = .album(album)
    case (2, "artists", let artist?): self = .artist(artist)
    case (2, let album?, "cover"): self = .cover(album)
    case (2, let album?, "content.json"): self = .content(album)
    case (2, let album?, "quiz"): self = .quiz(album)
    case (2, let album?, "article"): self = .pick(album)
    default: return nil
    }
  }
}
