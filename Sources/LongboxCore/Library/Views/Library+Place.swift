// Longbox
// SPDX-License-Identifier: MIT

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
