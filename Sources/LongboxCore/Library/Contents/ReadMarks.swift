// Longbox
// SPDX-License-Identifier: MIT

/// Which comics have been read.
///
/// A mark covers one comic or all comics up to one, and says read or unread. The latest mark that covers a
/// comic wins; a comic without marks is unread. So merging two devices' marks works as if each mark had been
/// set on every comic separately.
public struct ReadMarks: Equatable, Sendable {
  struct Mark: Equatable, Sendable {
    var isRead: Bool
    /// When the reader set the mark.
    ///
    /// This is the register's timestamp, unless an undo restored the mark.
    var written: Timestamp

    init?(_ entry: LibraryEntry) {
      guard let value = entry.value else { return nil }
      var reader = ByteReader(value.bytes)
      do throws(LibraryError) {
        isRead = try reader.flag()
        written = entry.timestamp
        guard !reader.isAtEnd else { return }
        written = min(written, try reader.timestamp())
      } catch {
        return nil
      }
    }

    /// The value of a new mark: u8 read or not.
    static func value(isRead: Bool) -> Text { Text([isRead ? 1 : 0]) }

    /// The value of a mark that an undo restores: u8 read or not, varint time, varint counter, u64 device.
    ///
    /// The mark keeps its original timestamp, so that it doesn't beat later marks.
    var agedValue: Text {
      var bytes: [UInt8] = [isRead ? 1 : 0]
      bytes.append(written)
      return Text(bytes)
    }
  }

  private struct Numbered: Equatable, Sendable {
    var comic: Comic.Number
    var mark: Mark
  }

  /// Marks of single comics, ordered by number.
  private let singles: [Numbered]
  /// For each end of a range, ordered by number, the latest mark of all ranges that reach at least as far.
  private var ranges: [Numbered]

  static var prefix: Text { "read/" }
  static var singlePrefix: Text { "read/comic/" }
  static var rangePrefix: Text { "read/upto/" }

  init(_ library: Library) {
    self.init(singles: Self.marks(in: library, under: Self.singlePrefix), of: library)
  }

  /// Creates the marks that affect one comic.
  init(_ library: Library, of comic: Comic.Number) {
    let mark = library.entry(LibraryKey(Self.singlePrefix, comic)).flatMap { Mark($0) }
    self.init(singles: mark.map { [Numbered(comic: comic, mark: $0)] } ?? [], of: library)
  }

  private init(singles: [Numbered], of library: Library) {
    self.singles = singles
    ranges = Self.marks(in: library, under: Self.rangePrefix)
    for index in ranges.indices.reversed().dropFirst()
    where ranges[index + 1].mark.written > ranges[index].mark.written {
      ranges[index].mark = ranges[index + 1].mark
    }
  }

  /// The greatest comic that has been read, or nil.
  public var greatestRead: Comic.Number? {
    let single = singles.last { isRead($0.comic) }?.comic
    for index in ranges.indices.reversed() where ranges[index].mark.isRead {
      // Among the comics of this range only, those with a later mark of their own can be unread.
      let end = index > 0 ? ranges[index - 1].comic.value : 0
      var comic: Comic.Number? = ranges[index].comic
      while let last = comic, last.value > end {
        if isRead(last) { return max(last, single ?? last) }
        comic = last.previous
      }
    }
    return single
  }

  /// Whether a comic has been read.
  public func isRead(_ comic: Comic.Number) -> Bool {
    let index = Self.index(ofFirstNotBelow: comic, in: singles)
    let reach = Self.index(ofFirstNotBelow: comic, in: ranges)
    let range = reach < ranges.count ? ranges[reach].mark : nil
    guard index < singles.count, singles[index].comic == comic else { return range?.isRead ?? false }
    let single = singles[index].mark
    guard let range, range.written > single.written else { return single.isRead }
    return range.isRead
  }

  private static func marks(in library: Library, under prefix: Text) -> [Numbered] {
    let marks = library.places(under: prefix).compactMap { index -> Numbered? in
      let entry = library.entries[index]
      guard let comic = entry.key.comic(after: prefix), let mark = Mark(entry) else { return nil }
      return Numbered(comic: comic, mark: mark)
    }
    return sortedIndices(marks.count) { marks[$0].comic < marks[$1].comic }.map { marks[$0] }
  }

  private static func index(ofFirstNotBelow comic: Comic.Number, in marks: [Numbered]) -> Int {
    marks.indices.partitioningIndex { marks[$0].comic >= comic }
  }
}

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
