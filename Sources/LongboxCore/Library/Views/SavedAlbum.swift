// Longbox
// SPDX-License-Identifier: MIT

/// A saved album, with what a list shows.
public struct SavedAlbum: Equatable, Sendable {
  /// The store's number of the album.
  public var id: StoreID
  /// The store country.
  public var country: StoreCountry
  /// The year of release, or 0.
  public var year: Int
  /// The album's name.
  public var name: Text
  /// The artist's name.
  public var artist: Text

  /// The maximum length of a name, of an album or an artist, in bytes.
  public static let nameLength = 1_000

  /// Creates a saved album; nil if a name is too long or the album's is empty.
  public init?(id: StoreID, country: StoreCountry, year: Int, name: Text, artist: Text) {
    guard !name.isEmpty, name.count <= Self.nameLength, artist.count <= Self.nameLength else { return nil }
    self.id = id
    self.country = country
    self.year = max(0, min(year, 9999))
    self.name = name
    self.artist = artist
  }

  /// Decodes an album from its register, or nil for an unknown format.
  init?(_ entry: LibraryEntry) {
    guard let value = entry.value,
      let id = StoreID(Text(entry.key.text.bytes.dropFirst(Self.prefix.count)))
    else { return nil }
    var reader = ByteReader(value.bytes)
    do throws(LibraryError) {
      guard try reader.byte() == Self.format else { return nil }
      guard let country = StoreCountry(Text(try reader.slice(2))) else { return nil }
      let year = try reader.count(atMost: 9999)
      let name = Text(try reader.slice(try reader.count(atMost: Self.nameLength)))
      self.init(id: id, country: country, year: year, name: name, artist: Text(reader.rest))
    } catch {
      return nil
    }
  }

  /// The encoding of the value: u8 format, the country's two letters, varint year, varint length of the name,
  /// the name, the artist's name.
  var value: Text {
    var bytes = [Self.format]
    bytes.append(contentsOf: country.text.bytes)
    bytes.appendCount(year)
    bytes.appendCount(name.count)
    bytes.append(contentsOf: name.bytes)
    bytes.append(contentsOf: artist.bytes)
    return Text(bytes)
  }

  /// The words of a search besides `is:album`; nil if the search doesn't contain `is:album`.
  public static func words(in search: Text) -> Text? {
    let words = search.bytes.split(separator: UInt8(ascii: " ")).map { Text($0) }
    let others = words.filter { $0 != "is:album" }
    guard others.count < words.count else { return nil }
    return others.reduce(Text.empty) { $0 + " " + $1 }
  }

  /// Whether the album's name, artist and year contain all words, also as parts of words.
  public func has(_ words: Text) -> Bool {
    let all = (name + " " + artist + " " + Text(decimal: year)).plainLetters[...]
    return words.plainLetters.split(separator: UInt8(ascii: " "))
      .allSatisfy { all.firstIndex(of: Array($0), from: 0) != nil }
  }

  private static var format: UInt8 { 1 }
  static var prefix: Text { "saved/album/" }

  static func key(of album: StoreID) -> LibraryKey { LibraryKey(known: prefix + album.text) }
}
