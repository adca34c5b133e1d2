// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import LongboxPages

/// Reads a host's message: little-endian numbers, and texts with their lengths.
///
/// Missing fields read as nil.
struct MessageReader {
  /// The bytes not read yet.
  private(set) var rest: ArraySlice<UInt8>

  init(_ message: [UInt8]) {
    rest = message[...]
  }

  /// u8.
  mutating func byte() -> UInt8? { rest.popFirst() }

  /// u32.
  mutating func word32() -> UInt32? { number(4).map { UInt32(truncatingIfNeeded: $0) } }

  /// u64.
  mutating func word64() -> UInt64? { number(8) }

  /// u32 length, bytes.
  mutating func text() -> Text? {
    guard let length = word32().flatMap({ Int(exactly: $0) }), length <= rest.count else { return nil }
    let text = Text(rest.prefix(length))
    rest = rest.dropFirst(length)
    return text
  }

  /// A number of texts.
  mutating func texts(_ count: Int) -> [Text]? {
    var texts: [Text] = []
    for _ in 0..<count {
      guard let text = text() else { return nil }
      texts.append(text)
    }
    return texts
  }

  private mutating func number(_ size: Int) -> UInt64? {
    guard rest.count >= size else { return nil }
    var value: UInt64 = 0
    for (index, byte) in rest.prefix(size).enumerated() { value |= UInt64(byte) << UInt64(8 * index) }
    rest = rest.dropFirst(size)
    return value
  }
}

/// Writes a reply to the host.
struct MessageWriter {
  private(set) var bytes: [UInt8] = []

  init() {}

  /// u8.
  mutating func append(_ byte: UInt8) { bytes.append(byte) }

  /// u8, 1 or 0.
  mutating func append(_ flag: Bool) { bytes.append(flag ? 1 : 0) }

  /// u32.
  mutating func append32(_ value: Int) {
    for shift in [0, 8, 16, 24] { bytes.append(UInt8(truncatingIfNeeded: value >> shift)) }
  }

  /// Bytes without a length.
  mutating func append(_ more: some Collection<UInt8>) { bytes.append(contentsOf: more) }

  /// u32 length, bytes.
  mutating func append(text: Text) {
    append32(text.count)
    append(text.bytes)
  }
}

/// A reader's request, with what the host has loaded for the response.
///
///     u8  flags: bit 0 a form, bit 1 no connection, bit 2 fetched in advance, bit 3 a static copy, bits 4 and 5 its
///         pictures (0 all, 1 thumbnails, 2 none)
///     u64 a random number, u64 now in milliseconds since 1970-01-01 UTC
///     seven texts: path, query, form, version of the files, version of the program, base path, what shared links start
///         with; each u32 length, bytes
///     u32 number of loaded needs, each u8 kind, text key, u8 state, text value; see the extensions below
struct RespondMessage {
  let request: Request
  let context: PageContext
  private var loaded: [LoadedNeed] = []

  /// What the host has loaded for a need, still encoded.
  private struct LoadedNeed {
    let kind: UInt8
    let key: Text
    let state: UInt8
    let value: Text
  }

  init?(_ reader: inout MessageReader) {
    guard
      let flags = reader.byte(), let random = reader.word64(), let now = reader.word64(),
      let texts = reader.texts(7),
      let count = reader.word32()
    else { return nil }
    request = Request(
      method: flags & 1 == 0 ? .get : .post,
      path: texts[0],
      query: texts[1],
      body: texts[2],
      random: random,
      now: now,
      isPrefetch: flags & 4 != 0
    )
    var context = PageContext(assetVersion: texts[3], version: texts[4], isOffline: flags & 2 != 0)
    context.isDevice = true
    context.basePath = texts[5]
    context.shared = texts[6]
    context.site = Site(
      isStaticCopy: flags & 8 != 0,
      pictures: Site.Pictures(rawValue: flags >> 4 & 3) ?? .all
    )
    self.context = context
    for _ in 0..<count {
      guard let kind = reader.byte(), let key = reader.text(), let state = reader.byte(),
        let value = reader.text()
      else { return nil }
      loaded.append(LoadedNeed(kind: kind, key: key, state: state, value: value))
    }
  }

  /// The value that the host loaded for a need; nil if it hasn't tried.
  func value(of need: Need) -> Loaded.Value? {
    let (kind, key) = (need.kind, need.key)
    return loaded.first { $0.kind == kind && $0.key == key }
      .map { Loaded.Value(state: $0.state, value: $0.value, of: need) }
  }
}

/// What the host has to load next, or the response for the reader.
///
///     u8  0: u32 number of needs, each u8 kind, text key. Nothing was rendered.
///     u8  1: u32 status
///            u8  flags: bit 0 the library has changed, store it first; bit 1 the server may know more; bit 2 the body is
///                the library's file
///            u32 the viewed comic, or 0
///            text the address of a redirect, or empty
///            the page or the file, to the end
enum RespondReply {
  case needs([Need])
  case response(Response, isLibraryChanged: Bool)

  var bytes: [UInt8] {
    var writer = MessageWriter()
    switch self {
    case .needs(let needs):
      writer.append(0)
      writer.append32(needs.count)
      for need in needs {
        writer.append(need.kind)
        writer.append(text: need.key)
      }
    case .response(let response, let isLibraryChanged):
      writer.append(1)
      writer.append32(response.status)
      writer.append(
        (isLibraryChanged ? 1 : 0) | (response.serverMayKnowMore ? 2 : 0) | (response.isFile ? 4 : 0)
      )
      writer.append32(response.viewed?.value ?? 0)
      writer.append(text: response.location)
      writer.append(response.body)
    }
    return writer.bytes
  }
}

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
