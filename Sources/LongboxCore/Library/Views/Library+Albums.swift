// Longbox
// SPDX-License-Identifier: MIT

/// Saved albums: `saved/album/1440857781`.
extension Library {
  /// The saved albums, by artist and then the oldest first.
  public var savedAlbums: [SavedAlbum] {
    let albums = saved(kind: SavedAlbum.kind).compactMap { SavedAlbum($0) }
    let places = orderedPlaces(albums.count) { left, right in
      let (left, right) = (albums[left], albums[right])
      if left.artist != right.artist { return left.artist.precedesWithoutCase(right.artist) }
      return left.year == right.year ? left.id.value < right.id.value : left.year < right.year
    }
    return places.map { albums[$0] }
  }

  /// Whether an album is saved.
  public func hasSaved(_ album: StoreID) -> Bool {
    guard let key = Self.albumKey(album) else { return false }
    return value(key) != nil
  }

  /// Saves an album.
  /// - Throws: `LibraryError.full`.
  @discardableResult
  public mutating func save(_ album: SavedAlbum, at moment: Moment) throws(LibraryError) -> Undo {
    try save(album.value, kind: SavedAlbum.kind, name: album.id.text, at: moment)
  }

  /// Removes an album from what is saved.
  /// - Throws: nothing that a caller could cause; `LibraryError` is passed on for the compiler's sake.
  @discardableResult
  public mutating func removeAlbum(_ album: StoreID, at moment: Moment) throws(LibraryError) -> Undo {
    try removeSaved(kind: SavedAlbum.kind, name: album.text, at: moment)
  }

  private static func albumKey(_ album: StoreID) -> LibraryKey? {
    do throws(LibraryError) { return try savedKey(kind: SavedAlbum.kind, name: album.text) } catch {
      return nil
    }
  }
}

extension Text {
  /// The order of bytes with the letters A to Z taken as a to z; equal ones in the order of their own bytes.
  fileprivate func precedesWithoutCase(_ other: Text) -> Bool {
    for (byte, otherByte) in zip(bytes, other.bytes) {
      let (left, right) = (byte.lowercasedASCII, otherByte.lowercasedASCII)
      if left != right { return left < right }
    }
    return count == other.count ? precedes(other) : count < other.count
  }
}
