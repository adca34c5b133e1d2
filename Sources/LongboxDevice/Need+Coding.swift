// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import LongboxPages

// The encoding of needs and loaded values in messages: a kind, and a key that identifies the item.
//
//     kind                key                      value
//     0  latest
//     1  comic            its number
//     2  picture          the comic's number
//     3  explanationLead  the comic's number       HTML
//     4  explanation      the comic's number       HTML
//     6  artists          ?artist=…&country=…
//     7  discography      ID?country=…&show=…
//     8  album            ID?country=…             see `AlbumPage.init(kept:)`
//     9  quizAlbum        the same                 the same
//     10 storedAlbum      the same                 the same
//     11 server
//     12 explanationText  the comic's number       its plain text
//     13 storedComics                              a bit for each comic, see `ComicSet.init(bits:)`
//
// State of a value: 0 loaded, 1 doesn't exist, 2 not available now. The device performs searches (5) itself.

extension Need {
  var kind: UInt8 {
    switch self {
    case .latest: 0
    case .comic: 1
    case .picture: 2
    case .explanationLead: 3
    case .explanation: 4
    case .search: 5
    case .artists: 6
    case .discography: 7
    case .album: 8
    case .quizAlbum: 9
    case .storedAlbum: 10
    case .server: 11
    case .explanationText: 12
    case .storedComics: 13
    }
  }

  var key: Text {
    switch self {
    case .latest, .search, .storedComics, .server: .empty
    case .comic(let number), .picture(let number), .explanationLead(let number), .explanation(let number),
      .explanationText(let number):
      Text(decimal: number.value)
    case .artists(let name, let country, _): Self.key(of: .artists(name, country), after: "/albums")
    case .discography(let artist, let country, let selection):
      Self.key(of: .discography(artist, country, selection), after: "/albums/artists/")
    case .album(let album, let country), .quizAlbum(let album, let country):
      Self.key(of: .album(album, country), after: "/albums/")
    case .storedAlbum(let album, let country): Self.key(of: .album(album, country), after: "/albums/")
    }
  }

  private static func key(of link: Link, after path: Text) -> Text {
    Text(link.address.bytes.dropFirst(path.count))
  }
}

extension Loaded.Value {
  /// Decodes what the host has loaded for a need.
  init(state: UInt8, value: Text, of need: Need) {
    guard state == 0 else {
      self = state == 1 ? .absent : .unavailable
      return
    }
    switch need {
    case .latest, .comic, .picture: self = .archived
    case .explanationLead: self = .lead(HTML(rendered: Array(value.bytes)))
    case .explanation: self = .explanation(HTML(rendered: Array(value.bytes)))
    case .explanationText: self = .text(value)
    case .storedComics: self = .comics(ComicSet(bits: Array(value.bytes)))
    case .album, .quizAlbum, .storedAlbum:
      self = AlbumPage(kept: Array(value.bytes)).map { .album($0) } ?? .unavailable
    case .search, .artists, .discography, .server: self = .unavailable
    }
  }
}

extension AlbumPage {
  /// Decodes an album stored on the device.
  ///
  ///     texts the album's ID in the source, its name, the body of its page, the artist's ID in the source or
  ///         empty, the artist's name or empty
  ///     u32 number of tracks, texts, their titles
  ///     text the language of its articles, then for each version of its article two texts: the page's number or
  ///         empty, the HTML; all of this is left out for an album without
  init?(kept bytes: [UInt8]) {
    var reader = MessageReader(bytes)
    guard let texts = reader.texts(5), let count = reader.word32().flatMap({ Int(exactly: $0) }),
      let titles = reader.texts(count)
    else { return nil }
    self.init(name: texts[1], body: HTML(rendered: Array(texts[2].bytes)))
    tracks = AlbumTracks(
      album: texts[0],
      name: texts[1],
      artist: texts[3],
      artistName: texts[4],
      titles: titles
    )
    guard let language = reader.text() else { return }
    var versions: [ArticleVersions.Version] = []
    while let version = reader.texts(2) {
      versions.append(.init(page: version[0].number, html: HTML(rendered: Array(version[1].bytes))))
    }
    articles = ArticleVersions(language: language, versions: versions)
  }
}
