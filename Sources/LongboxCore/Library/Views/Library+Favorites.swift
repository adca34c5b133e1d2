// Longbox
// SPDX-License-Identifier: MIT

/// Favorites: `favorite/comic/353`.
extension Library {
  /// All favorites, newest first.
  public var favorites: [Favorite] {
    let favorites = places(under: Favorite.prefix).compactMap { Favorite(entries[$0]) }
    let places = sortedIndices(favorites.count) { left, right in
      let (left, right) = (favorites[left], favorites[right])
      return left.added == right.added ? left.comic > right.comic : left.added > right.added
    }
    return places.map { favorites[$0] }
  }

  /// A favorite, or nil if the comic isn't one.
  public func favorite(_ comic: Comic.Number) -> Favorite? {
    entry(LibraryKey(Favorite.prefix, comic)).flatMap { Favorite($0) }
  }

  /// Whether a comic is a favorite.
  public func isFavorite(_ comic: Comic.Number) -> Bool {
    value(LibraryKey(Favorite.prefix, comic)) != nil
  }

  /// Adds a comic to the favorites.
  ///
  /// An existing favorite keeps its date and note; its new timestamp beats an earlier removal elsewhere.
  /// - Throws: `LibraryError.full`.
  @discardableResult
  public mutating func addFavorite(_ comic: Comic.Number, at editTime: EditTime) throws(LibraryError) -> Undo
  {
    let key = LibraryKey(Favorite.prefix, comic)
    return try set(
      key,
      to: value(key) ?? Favorite(comic: comic, added: editTime.time).value,
      timestamp: editTime.timestamp
    )
  }

  /// Sets a favorite's note; adds the comic to the favorites if necessary.
  /// - Parameters:
  ///   - note: at most ``LibraryLimits/noteLength`` bytes; empty removes the note.
  ///   - comic: the favorite.
  ///   - editTime: the time of the edit.
  /// - Throws: `LibraryError.noteTooLong` or `LibraryError.full`.
  @discardableResult
  public mutating func setNote(
    _ note: Text,
    ofFavorite comic: Comic.Number,
    at editTime: EditTime
  ) throws(LibraryError) -> Undo {
    guard note.count <= LibraryLimits.noteLength else { throw .noteTooLong(note.count) }
    let added = favorite(comic)?.added ?? editTime.time
    return try set(
      LibraryKey(Favorite.prefix, comic),
      to: Favorite(comic: comic, added: added, note: note).value,
      timestamp: editTime.timestamp
    )
  }

  /// Removes a comic from the favorites.
  @discardableResult
  public mutating func removeFavorite(_ comic: Comic.Number, at editTime: EditTime) throws(LibraryError)
    -> Undo
  {
    try set(LibraryKey(Favorite.prefix, comic), to: nil, timestamp: editTime.timestamp)
  }

  /// Removes these comics from the favorites; others stay.
  @discardableResult
  public mutating func removeFavorites(_ comics: [Comic.Number], at editTime: EditTime) throws(LibraryError)
    -> Undo
  {
    var undo = Undo()
    for comic in comics where isFavorite(comic) {
      undo.append(try removeFavorite(comic, at: editTime))
    }
    return undo
  }

  /// Removes all favorites.
  @discardableResult
  public mutating func clearFavorites(at editTime: EditTime) throws(LibraryError) -> Undo {
    var undo = Undo()
    for place in places(under: Favorite.prefix) where entries[place].value != nil {
      undo.append(try set(entries[place].key, to: nil, timestamp: editTime.timestamp))
    }
    return undo
  }
}
