// Longbox
// SPDX-License-Identifier: MIT

/// An album as a quiz knows it: titles are facts, and all that a quiz asks.
public struct QuizAlbum: Sendable {
  /// The album's name in its source, such as iTunes' number.
  public let id: Text
  /// What it is called.
  public let name: Text
  /// The titles of its tracks in their order, disc after disc; at most ``TitleMatcher/mostTracks``.
  public let titles: [Text]
  /// Tells which of them a guess names.
  public let matcher: TitleMatcher

  /// Makes an album of its titles; further ones than ``TitleMatcher/mostTracks`` are left out.
  public init(id: Text, name: Text, titles: [Text]) {
    self.id = id
    self.name = name
    self.titles = Array(titles.prefix(TitleMatcher.mostTracks))
    matcher = TitleMatcher(titles: self.titles)
  }

  /// A number that changes with the titles, so that a state or record is not used for others than it was made of.
  public var digest: UInt64 { Self.digest(of: titles) }

  static func digest(of titles: [Text]) -> UInt64 {
    var bytes: [UInt8] = []
    for title in titles {
      bytes.appendCount(title.count)
      bytes.append(contentsOf: title.bytes)
    }
    return XXH64.hash(bytes.span.bytes)
  }
}

/// An artist with several albums, for the question of which album a track is on.
public struct QuizArtist: Sendable {
  /// The artist's name in its source, such as iTunes' number.
  public let id: Text
  /// What the artist is called.
  public let name: Text
  /// The albums, in whatever order is the reader's; their tracks are counted through.
  public let albums: [QuizAlbum]

  /// Makes an artist.
  public init(id: Text, name: Text, albums: [QuizAlbum]) {
    self.id = id
    self.name = name
    self.albums = albums
  }

  /// The titles of all albums, one after the other; at most ``TitleMatcher/mostTracks``.
  var titles: [Text] { Array(albums.flatMap { $0.titles }.prefix(TitleMatcher.mostTracks)) }

  /// A number that changes with the titles, the albums and their order.
  public var digest: UInt64 { QuizAlbum.digest(of: albums.map { $0.id } + titles) }
}
