// Longbox
// SPDX-License-Identifier: MIT

/// Where the reader was last.
public struct Place: Equatable, Sendable {
  /// The comic that was open.
  public let comic: Comic.Number
  /// When: milliseconds since 1970-01-01 UTC, by the clock of the device.
  public let time: UInt64

  /// Makes a place.
  public init(comic: Comic.Number, time: UInt64) {
    self.comic = comic
    self.time = time
  }
}

/// The place: `place`, its value varint number, varint time.
extension Library {
  private static var placeKey: LibraryKey { LibraryKey(known: "place") }

  /// Where the reader was last, on whatever device, or nothing.
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

  /// Notes where the reader is.
  /// - Throws: `LibraryError.full`.
  @discardableResult
  public mutating func setPlace(_ comic: Comic.Number, at moment: Moment) throws(LibraryError) -> Undo {
    var bytes: [UInt8] = []
    bytes.appendCount(comic.value)
    bytes.appendVarint(moment.time)
    return try set(Self.placeKey, to: Text(bytes), stamp: moment.stamp)
  }

  /// Notes which comic the reader looks at, to the minute: a page that is loaded again writes nothing.
  /// - Throws: `LibraryError.full`.
  public mutating func notePlace(_ comic: Comic.Number, at moment: Moment) throws(LibraryError) {
    if let place, place.comic == comic, moment.time >= place.time, moment.time - place.time < 60_000 { return }
    try setPlace(comic, at: moment)
  }
}
