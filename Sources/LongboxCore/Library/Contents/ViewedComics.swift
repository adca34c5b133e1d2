// Longbox
// SPDX-License-Identifier: MIT

/// The comic that the reader last viewed.
public struct Place: Equatable, Sendable {
  public let comic: Comic.Number
  /// When: milliseconds since 1970-01-01 UTC, by the device's clock.
  public let time: UInt64

  public init(comic: Comic.Number, time: UInt64) {
    self.comic = comic
    self.time = time
  }

  /// The maximum age of a place to return to without asking, in milliseconds: eight hours.
  private static var recency: UInt64 { 8 * 3_600_000 }
  /// The maximum age of a place to offer: thirty days.
  private static var longestAbsence: UInt64 { 30 * 24 * 3_600_000 }

  /// Whether the reader was there not long ago, so that Longbox opens there.
  public func isRecent(at now: UInt64) -> Bool {
    now < time || now - time < Self.recency
  }

  /// Whether to offer to go on there: after a while, unless only the latest comic would be left to read.
  public func isOffered(at now: UInt64, latest: Comic.Number) -> Bool {
    !isRecent(at: now) && now - time < Self.longestAbsence && comic != latest && comic.next != latest
  }
}

/// The register `place`, its value varint number, varint time.
extension Library {
  private static var placeKey: LibraryKey { LibraryKey(known: "place") }

  /// The last place on any device, or nil.
  public var place: Place? {
    guard let value = value(Self.placeKey) else { return nil }
    var reader = ByteReader(value.bytes)
    do throws(LibraryError) {
      guard let comic = Comic.Number(try reader.count(atMost: Comic.Number.greatestValue)) else { return nil }
      return Place(comic: comic, time: try reader.time())
    } catch {
      return nil
    }
  }

  /// Sets the place.
  /// - Throws: `LibraryError.full`.
  @discardableResult
  public mutating func setPlace(_ comic: Comic.Number, at editTime: EditTime) throws(LibraryError) -> Undo {
    var bytes: [UInt8] = []
    bytes.appendCount(comic.value)
    bytes.appendVarint(editTime.time)
    return try set(Self.placeKey, to: Text(bytes), timestamp: editTime.timestamp)
  }

  /// Sets the place; the same comic within a minute writes nothing, so that reloads cost nothing.
  /// - Throws: `LibraryError.full`.
  public mutating func notePlace(_ comic: Comic.Number, at editTime: EditTime) throws(LibraryError) {
    if let place, place.comic == comic, editTime.time >= place.time, editTime.time - place.time < 60_000 {
      return
    }
    try setPlace(comic, at: editTime)
  }
}

/// The comics viewed last: the register `local/history`, its value varint numbers, the latest first.
///
/// What a reader opened is kept on the device where they opened it, and isn't synced.
extension Library {
  /// The maximum number of comics in the history; their numbers fit a register.
  private static var historyLength: Int { 100 }

  private static var historyKey: LibraryKey { LibraryKey(known: "local/history") }

  /// The comics viewed on this device, the latest first, each once.
  public var history: [Comic.Number] {
    var comics: [Comic.Number] = []
    guard let value = value(Self.historyKey) else { return comics }
    var reader = ByteReader(value.bytes)
    do throws(LibraryError) {
      while !reader.isAtEnd, comics.count < Self.historyLength {
        let comic = Comic.Number(try reader.count(atMost: Comic.Number.greatestValue))
        if let comic { comics.append(comic) }
      }
    } catch {
      // What can be read before the damage is shown.
    }
    return comics
  }

  /// Puts a viewed comic first in the history; writes nothing if it is first already.
  /// - Throws: `LibraryError.full`.
  public mutating func noteInHistory(_ comic: Comic.Number, at editTime: EditTime) throws(LibraryError) {
    let before = history
    guard before.first != comic else { return }
    var bytes: [UInt8] = []
    bytes.appendCount(comic.value)
    for other in before.filter({ $0 != comic }).prefix(Self.historyLength - 1) {
      bytes.appendCount(other.value)
    }
    try set(Self.historyKey, to: Text(bytes), timestamp: editTime.timestamp)
  }

  /// Forgets which comics were viewed; read marks stay.
  @discardableResult
  public mutating func clearHistory(at editTime: EditTime) throws(LibraryError) -> Undo {
    try set(Self.historyKey, to: nil, timestamp: editTime.timestamp)
  }
}

extension Library {
  /// Whether everything in the library comes from looking at pages.
  ///
  /// Such a library stays on its device: the server gets it with the first favorite, note or setting.
  public var hasOnlyViews: Bool {
    for entry in entries where !entry.key.isLocal {
      let key = entry.key.text
      guard
        key.starts(with: ReadMarks.singlePrefix) || key.starts(with: RecentArtist.prefix) || key == "place"
      else { return false }
    }
    return true
  }
}
