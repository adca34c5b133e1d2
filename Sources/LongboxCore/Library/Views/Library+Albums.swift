// Longbox
// SPDX-License-Identifier: MIT

/// Saved albums: `saved/album/1440857781`.
extension Library {
  /// The saved albums, by artist, then oldest first.
  public var savedAlbums: [SavedAlbum] {
    var albums: [SavedAlbum] = []
    for place in places(under: SavedAlbum.prefix) {
      if let album = SavedAlbum(entries[place]) { albums.append(album) }
    }
    let places = sortedIndices(albums.count) { left, right in
      let (left, right) = (albums[left], albums[right])
      if left.artist != right.artist { return left.artist.precedesWithoutCase(right.artist) }
      return left.year == right.year ? left.id.value < right.id.value : left.year < right.year
    }
    return places.map { albums[$0] }
  }

  /// Whether an album is saved.
  public func hasSaved(_ album: StoreID) -> Bool {
    value(SavedAlbum.key(of: album)) != nil
  }

  /// The store country that the reader chose, or nil for the server's default.
  public var albumCountry: StoreCountry? {
    value(Self.albumCountryKey).flatMap { StoreCountry($0) }
  }

  /// Sets the store country.
  /// - Throws: `LibraryError.full`.
  public mutating func setAlbumCountry(_ country: StoreCountry, at editTime: EditTime) throws(LibraryError) {
    try set(Self.albumCountryKey, to: country.text, timestamp: editTime.timestamp)
  }

  private static var albumCountryKey: LibraryKey { LibraryKey(known: "setting/albumCountry") }

  /// Saves an album.
  /// - Throws: `LibraryError.full`.
  @discardableResult
  public mutating func save(_ album: SavedAlbum, at editTime: EditTime) throws(LibraryError) -> Undo {
    try set(SavedAlbum.key(of: album.id), to: album.value, timestamp: editTime.timestamp)
  }

  /// Removes a saved album.
  @discardableResult
  public mutating func removeAlbum(_ album: StoreID, at editTime: EditTime) throws(LibraryError) -> Undo {
    try set(SavedAlbum.key(of: album), to: nil, timestamp: editTime.timestamp)
  }
}

extension Text {
  /// Orders by bytes with A to Z taken as a to z, then by the bytes themselves.
  fileprivate func precedesWithoutCase(_ other: Text) -> Bool {
    for place in 0..<min(storage.count, other.storage.count) {
      let (left, right) = (storage[place].lowercasedASCII, other.storage[place].lowercasedASCII)
      if left != right { return left < right }
    }
    return count == other.count ? precedes(other) : count < other.count
  }
}
