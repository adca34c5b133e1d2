// Longbox
// SPDX-License-Identifier: MIT

/// Read marks: `read/comic/353` for one comic, `read/upto/353` for it and all before.
extension Library {
  /// Which comics have been read: made once for a page, then asked for each comic.
  public var readMarks: ReadMarks { ReadMarks(self) }

  /// Marks a comic as read or unread.
  /// - Throws: `LibraryError.full`.
  @discardableResult
  public mutating func setRead(
    _ isRead: Bool,
    comic: Comic.Number,
    at moment: Moment
  ) throws(LibraryError) -> Undo {
    try mark(LibraryKey(ReadMarks.singlePrefix, comic), isRead: isRead, at: moment)
  }

  /// Marks a comic and all before it as read or unread, in one entry.
  /// - Throws: `LibraryError.full`.
  @discardableResult
  public mutating func setRead(
    _ isRead: Bool,
    upTo comic: Comic.Number,
    at moment: Moment
  ) throws(LibraryError) -> Undo {
    try mark(LibraryKey(ReadMarks.rangePrefix, comic), isRead: isRead, at: moment)
  }

  /// Marks a comic as read because it was viewed; nothing is written where it is read already.
  /// - Throws: `LibraryError.full`.
  @discardableResult
  public mutating func markViewed(_ comic: Comic.Number, at moment: Moment) throws(LibraryError) -> Undo {
    guard !readMarks.isRead(comic) else { return Undo() }
    return try setRead(true, comic: comic, at: moment)
  }

  private mutating func mark(
    _ key: LibraryKey,
    isRead: Bool,
    at moment: Moment
  ) throws(LibraryError) -> Undo {
    let before = entry(key).flatMap { ReadMarks.Mark($0)?.agedValue ?? $0.value }
    let value = ReadMarks.Mark.value(isRead: isRead)
    let undo = try set(key, to: value, stamp: moment.stamp)
    return undo.isEmpty ? undo : Undo(key: key, before: before, after: value)
  }
}
