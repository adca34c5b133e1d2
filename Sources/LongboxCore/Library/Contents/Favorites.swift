// Longbox
// SPDX-License-Identifier: MIT

public struct Favorite: Equatable, Sendable {
  public let comic: Comic.Number
  /// When it was added: milliseconds since 1970-01-01 UTC, by the device's clock.
  public let added: UInt64
  /// The reader's note, or empty; UTF-8 as the browser sent it.
  public let note: Text

  public init(comic: Comic.Number, added: UInt64, note: Text = .empty) {
    self.comic = comic
    self.added = added
    self.note = note
  }

  /// Decodes a favorite from its register, or nil.
  ///
  /// A value in a newer format still counts; its date is then that of the timestamp.
  init?(_ entry: LibraryEntry) {
    guard let comic = entry.key.comic(after: Self.prefix), let value = entry.value else { return nil }
    self = Self(comic, value) ?? Self(comic: comic, added: entry.timestamp.time)
  }

  private init?(_ comic: Comic.Number, _ value: Text) {
    var reader = ByteReader(value.bytes)
    do throws(LibraryError) {
      guard try reader.byte() == Self.format else { return nil }
      self.init(comic: comic, added: try reader.time(), note: Text(reader.rest))
    } catch {
      return nil
    }
  }

  /// The encoding of the value: u8 format, varint date, the note.
  var value: Text {
    var bytes = [Self.format]
    bytes.appendVarint(added)
    bytes.append(contentsOf: note.bytes)
    return Text(bytes)
  }

  private static var format: UInt8 { 1 }
  static var prefix: Text { "favorite/comic/" }
}

/// Favorites: `favorite/comic/353`.
extension Library {
  /// All favorites, newest first.
  public var favorites: [Favorite] {
    let favorites = places(under: Favorite.prefix).compactMap { Favorite(entries[$0]) }
    let order = sortedIndices(favorites.count) { left, right in
      let (left, right) = (favorites[left], favorites[right])
      return left.added == right.added ? left.comic > right.comic : left.added > right.added
    }
    return order.map { favorites[$0] }
  }

  /// A favorite, or nil if the comic isn't one.
  public func favorite(_ comic: Comic.Number) -> Favorite? {
    entry(LibraryKey(Favorite.prefix, comic)).flatMap { Favorite($0) }
  }

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

  @discardableResult
  public mutating func clearFavorites(at editTime: EditTime) throws(LibraryError) -> Undo {
    var undo = Undo()
    for index in places(under: Favorite.prefix) where entries[index].value != nil {
      undo.append(try set(entries[index].key, to: nil, timestamp: editTime.timestamp))
    }
    return undo
  }
}
