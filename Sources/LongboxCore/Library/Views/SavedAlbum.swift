// Longbox
// SPDX-License-Identifier: MIT

/// An album that the reader keeps, with what a list shows of it.
public struct SavedAlbum: Equatable, Sendable {
  /// The store's number of the album.
  public var id: StoreID
  /// Whose store it was found in.
  public var country: StoreCountry
  /// The year of its release, or 0.
  public var year: Int
  /// Its name.
  public var name: Text
  /// Who made it.
  public var artist: Text

  /// The longest name, of an album or an artist, in bytes.
  public static let nameLength = 1_000

  /// Makes an album to be saved, or nothing where a name is too long or the album's is empty.
  public init?(id: StoreID, country: StoreCountry, year: Int, name: Text, artist: Text) {
    guard !name.isEmpty, name.count <= Self.nameLength, artist.count <= Self.nameLength else { return nil }
    self.id = id
    self.country = country
    self.year = max(0, min(year, 9999))
    self.name = name
    self.artist = artist
  }

  /// Reads an album from its register, or nothing where that holds none, or one that a newer version wrote.
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

  /// The value of the register: u8 format, the country's two letters, varint year, varint length of the name,
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

  /// What stands beside `is:album` in a search; nothing where that is not asked for.
  public static func words(in search: Text) -> Text? {
    let words = search.bytes.split(separator: UInt8(ascii: " ")).map { Text($0) }
    let others = words.filter { $0 != "is:album" }
    guard others.count < words.count else { return nil }
    return others.reduce(Text.empty) { $0 + " " + $1 }
  }

  /// Whether the name, the artist's name and the year have some words, or beginnings or parts of them, among them.
  public func has(_ words: Text) -> Bool {
    let all = (name + " " + artist + " " + Text(decimal: year)).plainLetters[...]
    return words.plainLetters.split(separator: UInt8(ascii: " "))
      .allSatisfy { all.firstIndex(of: Array($0), from: 0) != nil }
  }

  private static var format: UInt8 { 1 }
  static var prefix: Text { "saved/album/" }

  /// The register of an album.
  static func key(of album: StoreID) -> LibraryKey { LibraryKey(known: prefix + album.text) }
}
