// Longbox
// SPDX-License-Identifier: MIT

/// An album as quizzes use it: a name and track titles.
public struct QuizAlbum: Sendable {
  /// The album's identifier in its source, such as iTunes' number.
  public let id: Text
  public let name: Text
  /// The track titles in order, disc after disc; at most ``TitleMatcher/mostTracks``.
  public let titles: [Text]
  /// Matches guesses against the titles.
  public let matcher: TitleMatcher

  /// Creates an album; titles beyond ``TitleMatcher/mostTracks`` are dropped.
  public init(id: Text, name: Text, titles: [Text]) {
    self.id = id
    self.name = name
    self.titles = Array(titles.prefix(TitleMatcher.mostTracks))
    matcher = TitleMatcher(titles: self.titles)
  }

  /// A hash of the titles, so that a state or record isn't applied to other titles.
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

/// An artist with several albums, for *Which album?*.
public struct QuizArtist: Sendable {
  /// The maximum number of an artist's albums in a quiz; of more saved albums the first ones count.
  public static var mostAlbums: Int { 20 }

  /// The artist's identifier in its source, such as iTunes' number.
  public let id: Text
  public let name: Text
  /// The albums in any order; their tracks are numbered consecutively.
  public let albums: [QuizAlbum]

  public init(id: Text, name: Text, albums: [QuizAlbum]) {
    self.id = id
    self.name = name
    self.albums = albums
  }

  /// The titles of all albums in sequence; at most ``TitleMatcher/mostTracks``.
  var titles: [Text] { Array(albums.flatMap { $0.titles }.prefix(TitleMatcher.mostTracks)) }

  /// A hash of the titles, the albums and their order.
  public var digest: UInt64 { QuizAlbum.digest(of: albums.map { $0.id } + titles) }

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
