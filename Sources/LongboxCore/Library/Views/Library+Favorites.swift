// Longbox
// SPDX-License-Identifier: MIT

/// Favourites: `favorite/comic/353`.
extension Library {
  /// All favourites, the newest first.
  public var favorites: [Favorite] {
    var favorites = places(under: Favorite.prefix).compactMap { Favorite(entries[$0]) }
    favorites.sort { left, right in
      left.added == right.added ? left.comic > right.comic : left.added > right.added
    }
    return favorites
  }

  /// A favourite, or nothing where the comic is none.
  public func favorite(_ comic: Comic.Number) -> Favorite? {
    entry(LibraryKey(Favorite.prefix, comic)).flatMap { Favorite($0) }
  }

  /// Whether a comic is a favourite.
  public func isFavorite(_ comic: Comic.Number) -> Bool {
    value(LibraryKey(Favorite.prefix, comic)) != nil
  }

  /// Makes a comic a favourite.
  ///
  /// One that is so already keeps its date and note, but beats an earlier removal elsewhere.
  /// - Throws: `LibraryError.full`.
  @discardableResult
  public mutating func addFavorite(_ comic: Comic.Number, at moment: Moment) throws(LibraryError) -> Undo {
    let key = LibraryKey(Favorite.prefix, comic)
    return try set(
      key,
      to: value(key) ?? Favorite(comic: comic, added: moment.time).value,
      stamp: moment.stamp
    )
  }

  /// Writes a favourite's note; a comic that is no favourite yet becomes one.
  /// - Parameters:
  ///   - note: at most ``LibraryLimits/noteLength`` bytes; empty removes the note.
  ///   - comic: the favourite.
  ///   - moment: when that is.
  /// - Throws: `LibraryError.noteTooLong` or `LibraryError.full`.
  @discardableResult
  public mutating func setNote(
    _ note: Text,
    ofFavorite comic: Comic.Number,
    at moment: Moment
  ) throws(LibraryError) -> Undo {
    guard note.count <= LibraryLimits.noteLength else { throw .noteTooLong(note.count) }
    let added = favorite(comic)?.added ?? moment.time
    return try set(
      LibraryKey(Favorite.prefix, comic),
      to: Favorite(comic: comic, added: added, note: note).value,
      stamp: moment.stamp
    )
  }

  /// Makes a comic no favourite.
  /// - Throws: nothing that a caller could cause; `LibraryError` is passed on for the compiler's sake.
  @discardableResult
  public mutating func removeFavorite(_ comic: Comic.Number, at moment: Moment) throws(LibraryError) -> Undo {
    try set(LibraryKey(Favorite.prefix, comic), to: nil, stamp: moment.stamp)
  }

  /// Removes all favourites that this copy knows of.
  /// - Throws: nothing that a caller could cause; `LibraryError` is passed on for the compiler's sake.
  @discardableResult
  public mutating func clearFavorites(at moment: Moment) throws(LibraryError) -> Undo {
    var undo = Undo()
    for place in places(under: Favorite.prefix) where entries[place].value != nil {
      undo.append(try set(entries[place].key, to: nil, stamp: moment.stamp))
    }
    return undo
  }
}
