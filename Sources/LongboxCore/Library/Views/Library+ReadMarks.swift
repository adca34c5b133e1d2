// Longbox
// SPDX-License-Identifier: MIT

/// Read marks: `read/comic/353` for one comic, `read/upto/353` for it and all before.
extension Library {
  /// Which comics have been read; build it once for a page, then query each comic.
  public var readMarks: ReadMarks { ReadMarks(self) }

  /// Marks a comic as read or unread.
  /// - Throws: `LibraryError.full`.
  @discardableResult
  public mutating func setRead(
    _ isRead: Bool,
    comic: Comic.Number,
    at editTime: EditTime
  ) throws(LibraryError) -> Undo {
    try mark(LibraryKey(ReadMarks.singlePrefix, comic), isRead: isRead, at: editTime)
  }

  /// Marks a comic and all before it as read or unread, in one entry.
  /// - Throws: `LibraryError.full`.
  @discardableResult
  public mutating func setRead(
    _ isRead: Bool,
    upTo comic: Comic.Number,
    at editTime: EditTime
  ) throws(LibraryError) -> Undo {
    try mark(LibraryKey(ReadMarks.rangePrefix, comic), isRead: isRead, at: editTime)
  }

  /// Marks a viewed comic as read; writes nothing if it is read already.
  /// - Throws: `LibraryError.full`.
  @discardableResult
  public mutating func markViewed(_ comic: Comic.Number, at editTime: EditTime) throws(LibraryError) -> Undo {
    guard !ReadMarks(self, of: comic).isRead(comic) else { return Undo() }
    return try setRead(true, comic: comic, at: editTime)
  }

  private mutating func mark(
    _ key: LibraryKey,
    isRead: Bool,
    at editTime: EditTime
  ) throws(LibraryError) -> Undo {
    let before = entry(key).flatMap { ReadMarks.Mark($0)?.agedValue ?? $0.value }
    let value = ReadMarks.Mark.value(isRead: isRead)
    let undo = try set(key, to: value, timestamp: editTime.timestamp)
    return undo.isEmpty ? undo : Undo(key: key, before: before, after: value)
  }
}
