// Longbox
// SPDX-License-Identifier: MIT

import Foundation
public import LongboxCore

/// A reply of the store: rows of artists, albums and tracks, with what was asked for first.
///
/// Its content type (JavaScript) and blank lines before the JSON are ignored. An empty body is an error: the
/// store sends one when it limits the rate, and that must not look like "nothing found".
public struct ITunesReply: Equatable, Sendable {
  /// Why bytes are not a reply.
  public enum Fault: Error, Equatable, Sendable {
    /// They are empty.
    case empty
    /// They are an HTML page.
    case html
    /// They are not JSON, or not complete.
    case notAnObject
    /// They have no rows.
    case noResults
  }

  /// The most rows that are read: more than the store ever sends.
  private static let mostRows = 1_000

  private let rows: [ITunesRow]

  public init(json: [UInt8]) throws(Fault) {
    try Fault.checkObject(json)
    do {
      let all = try JSONDecoder().decode(Envelope.self, from: Data(json)).results
      rows = all.prefix(Self.mostRows).compactMap(\.row)
    } catch DecodingError.keyNotFound, DecodingError.typeMismatch, DecodingError.valueNotFound {
      throw .noResults
    } catch {
      throw .notAnObject
    }
  }

  /// The artists, in the store's order.
  public var artists: [Artist] {
    rows.filter { $0.wrapperType == "artist" }.compactMap { row in
      guard let id = StoreID(row.artistID), !row.artistName.isEmpty else { return nil }
      return Artist(id: id, name: Text(string: row.artistName), genre: Text(string: row.genre))
    }
  }

  /// The albums, in the store's order.
  /// - Parameter country: the store's country.
  public func albums(in country: StoreCountry) -> [Album] {
    rows.filter { $0.wrapperType == "collection" }.compactMap { Self.album($0, country) }
  }

  /// Whether it has the requested artists, artist or album.
  public func isFound(_ question: ITunesQuestion) -> Bool {
    switch question.subject {
    case .artists: !artists.isEmpty
    case .albums: !artists.isEmpty || !albums(in: question.country).isEmpty
    case .tracks(let album): albums(in: question.country).contains { $0.id == album }
    }
  }

  /// An album with its tracks; nil if the store has no such album.
  ///
  /// A reply with the most rows may be cut, so tracks after the last row don't count as gaps.
  public func album(_ id: StoreID, in country: StoreCountry) -> AlbumDetails? {
    guard let album = albums(in: country).first(where: { $0.id == id }) else { return nil }
    let own = rows.filter { $0.wrapperType == "track" && $0.collectionID == id.value }
    let songs = own.filter { $0.kind == "song" }
    let tracks = songs.compactMap { Self.track($0, of: album) }
    let isCut = rows.count >= ITunesAddresses.mostRows && own.count < album.trackCount
    let lastDisc = isCut ? songs.map(\.discNumber).max() : nil
    let counts = Dictionary(songs.map { ($0.discNumber, $0.trackCount) }) { max($0, $1) }
      .filter { $0.key != lastDisc }
    let others = own.filter { $0.kind != "song" }
    let list = TrackList(
      tracks,
      counts: counts.map { (disc: $0.key, tracks: $0.value) },
      taken: others.map { (disc: $0.discNumber, number: $0.trackNumber) }
    )
    let isWhole = songs.count + list.gapCount + others.count >= album.trackCount
    return AlbumDetails(album: album, tracks: list, givenCount: isCut && !isWhole ? own.count : nil)
  }

  private static func album(_ row: ITunesRow, _ country: StoreCountry) -> Album? {
    guard let id = StoreID(row.collectionID), !row.collectionName.isEmpty else { return nil }
    return Album(
      id: id,
      artistID: StoreID(row.artistID),
      artist: Text(string: row.artistName),
      name: Text(string: row.collectionName),
      released: CalendarDate(timestamp: Text(string: row.releaseDate)),
      trackCount: max(0, row.trackCount),
      genre: Text(string: row.genre),
      copyright: Text(string: row.copyright),
      explicitness: explicitness(row.explicitness),
      artworkAddress: Text(string: row.artwork),
      storeAddress: storeAddress(row.view),
      country: country
    )
  }

  private static func track(_ row: ITunesRow, of album: Album) -> Track? {
    guard let id = StoreID(row.trackID), !row.title.isEmpty else { return nil }
    let artist = Text(string: row.artistName)
    return Track(
      id: id,
      disc: max(1, row.discNumber),
      number: row.trackNumber,
      title: Text(string: row.title),
      milliseconds: row.milliseconds,
      artist: artist == album.artist ? .empty : artist
    )
  }

  private static func explicitness(_ word: String) -> Album.Explicitness {
    switch word {
    case "explicit": .explicit
    case "cleaned": .cleaned
    default: .notExplicit
    }
  }

  /// Readers follow this link, so it must lead to the store.
  private static func storeAddress(_ text: String) -> Text {
    guard let address = WebAddress(text), address.origin.scheme == .https,
      ["itunes.apple.com", "music.apple.com", "geo.itunes.apple.com"].contains(address.origin.host)
    else { return .empty }
    return Text(string: address.description)
  }

  /// Skips rows that can't be decoded.
  private struct Envelope: Decodable {
    struct Entry: Decodable {
      let row: ITunesRow?

      init(from decoder: any Decoder) throws {
        row = try? ITunesRow(from: decoder)
      }
    }

    let results: [Entry]
  }
}

extension ITunesReply.Fault: JSONObjectFault {}

extension ITunesReply.Fault: CustomStringConvertible {
  /// The fault, as the end of a sentence.
  public var description: String {
    switch self {
    case .empty: "the answer is empty"
    case .html: "the answer is an HTML page instead of JSON"
    case .notAnObject: "the answer is not one whole JSON object"
    case .noResults: "the answer has no results"
    }
  }
}

/// The fields of a row that Longbox uses; each may be missing.
private struct ITunesRow: Equatable, Sendable {
  var wrapperType: String
  var kind: String
  var artistID: UInt64
  var collectionID: UInt64
  var trackID: UInt64
  var artistName: String
  var collectionName: String
  var trackName: String
  var trackCensoredName: String
  var explicitness: String
  var artwork: String
  var view: String
  var trackCount: Int
  var discNumber: Int
  var trackNumber: Int
  var milliseconds: Int
  var copyright: String
  var releaseDate: String
  var genre: String

  /// The title with additions that the plain name may lack: "Warrior" becomes "Warrior (Sbtrkt Remix)"; a
  /// name with asterisks is not used.
  var title: String {
    let isMore = trackCensoredName.hasPrefix(trackName) && !trackCensoredName.contains("*")
    return isMore ? trackCensoredName : trackName
  }
}

extension ITunesRow: Decodable {
  private enum Key: String, CodingKey {
    case wrapperType, kind, artistId, collectionId, trackId, artistName, collectionName
    case trackName, trackCensoredName, collectionExplicitness, artworkUrl100, collectionViewUrl, trackCount
    case discNumber, trackNumber, trackTimeMillis, copyright, releaseDate, primaryGenreName
  }

  /// The longest text of a field, in bytes; the longest recorded name has 176.
  private static let longestText = 1_000

  init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Key.self)
    func text(_ key: Key) -> String {
      let value = (try? fields.decodeIfPresent(String.self, forKey: key)) ?? ""
      let text = value.utf8.count <= Self.longestText ? value : String(value.prefix(Self.longestText / 4))
      // Names of artists are compared by bytes.
      return text.utf8.allSatisfy { $0 < 0x80 } ? text : text.precomposedStringWithCanonicalMapping
    }
    func number(_ key: Key) -> Int { (try? fields.decodeIfPresent(Int.self, forKey: key)) ?? 0 }
    func id(_ key: Key) -> UInt64 { (try? fields.decodeIfPresent(UInt64.self, forKey: key)) ?? 0 }
    wrapperType = text(.wrapperType)
    kind = text(.kind)
    artistID = id(.artistId)
    collectionID = id(.collectionId)
    trackID = id(.trackId)
    artistName = text(.artistName)
    collectionName = text(.collectionName)
    trackName = text(.trackName)
    trackCensoredName = text(.trackCensoredName)
    explicitness = text(.collectionExplicitness)
    artwork = text(.artworkUrl100)
    view = text(.collectionViewUrl)
    trackCount = number(.trackCount)
    discNumber = number(.discNumber)
    trackNumber = number(.trackNumber)
    milliseconds = min(max(0, number(.trackTimeMillis)), 24 * 3_600_000)
    copyright = text(.copyright)
    releaseDate = text(.releaseDate)
    genre = text(.primaryGenreName)
  }
}
