// Longbox
// SPDX-License-Identifier: MIT

/// An artist whose albums the reader viewed.
public struct RecentArtist: Equatable, Sendable {
  /// The store's number of the artist.
  public var id: StoreID
  /// The store country.
  public var country: StoreCountry
  /// The name.
  public var name: Text

  /// Creates an artist.
  public init(id: StoreID, country: StoreCountry, name: Text) {
    self.id = id
    self.country = country
    self.name = name
  }

  /// The maximum number of recent artists.
  static let most = 12

  static var prefix: Text { "recent/artist/" }
  private static var format: UInt8 { 1 }

  init?(_ entry: LibraryEntry) {
    guard let value = entry.value, let id = StoreID(Text(entry.key.text.bytes.dropFirst(Self.prefix.count)))
    else { return nil }
    let bytes = value.bytes
    guard bytes.first == Self.format, let country = StoreCountry(Text(bytes.dropFirst().prefix(2))) else {
      return nil
    }
    self.init(id: id, country: country, name: Text(bytes.dropFirst(3)))
  }

  /// The value of the register: u8 format, the country's two letters, the name.
  var value: Text {
    Text([Self.format] + country.text.bytes + name.bytes.prefix(SavedAlbum.nameLength))
  }
}

/// Recently viewed artists: `recent/artist/414425`.
extension Library {
  /// The recent artists, latest first.
  public var recentArtists: [RecentArtist] {
    let places = self.places(under: RecentArtist.prefix).filter { entries[$0].value != nil }
    let order = sortedIndices(places.count) { entries[places[$1]].timestamp < entries[places[$0]].timestamp }
    return order.prefix(RecentArtist.most).compactMap { RecentArtist(entries[places[$0]]) }
  }

  /// Adds an artist to the recent ones; writes nothing if it is the latest already.
  /// - Throws: `LibraryError.full`.
  public mutating func noteRecent(_ artist: RecentArtist, at editTime: EditTime) throws(LibraryError) {
    guard recentArtists.first != artist else { return }
    try set(
      LibraryKey(known: RecentArtist.prefix + artist.id.text),
      to: artist.value,
      timestamp: editTime.timestamp
    )
  }
}
