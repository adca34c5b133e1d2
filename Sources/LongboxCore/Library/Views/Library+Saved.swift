// Longbox
// SPDX-License-Identifier: MIT

/// Something that was saved, whose meaning is its maker's: an album, a quiz result.
public struct SavedThing: Equatable, Sendable {
  /// The name within its kind.
  public let name: Text
  /// What was saved.
  public let value: Text
  /// When it was saved last.
  public let stamp: Stamp
}

/// What the reader saved: `saved/album/1440857781`.
extension Library {
  /// The key of something saved.
  /// - Parameters:
  ///   - kind: what it is, such as `album`; without a slash, so that no kind lies within another.
  ///   - name: its name within the kind.
  /// - Throws: `LibraryError.savedName` where either is empty or the kind has a slash, `LibraryError.keyLength`.
  public static func savedKey(kind: Text, name: Text) throws(LibraryError) -> LibraryKey {
    guard !kind.isEmpty, !kind.bytes.contains(UInt8(ascii: "/")), !name.isEmpty else { throw .savedName }
    return try LibraryKey("saved/" + kind + "/" + name)
  }

  /// Everything saved of a kind, ordered by name.
  public func saved(kind: Text) -> [SavedThing] {
    let prefix: Text = "saved/" + kind + "/"
    return places(under: prefix).compactMap { place in
      let entry = entries[place]
      guard let value = entry.value else { return nil }
      return SavedThing(
        name: Text(entry.key.text.bytes.dropFirst(prefix.count)),
        value: value,
        stamp: entry.stamp
      )
    }
  }

  /// Saves something, in place of what had its name.
  /// - Throws: as ``savedKey(kind:name:)``, and `LibraryError.valueTooLong` or `LibraryError.full`.
  @discardableResult
  public mutating func save(
    _ value: Text,
    kind: Text,
    name: Text,
    at moment: Moment
  ) throws(LibraryError) -> Undo {
    try set(Self.savedKey(kind: kind, name: name), to: value, stamp: moment.stamp)
  }

  /// Removes something saved.
  /// - Throws: as ``savedKey(kind:name:)``.
  @discardableResult
  public mutating func removeSaved(kind: Text, name: Text, at moment: Moment) throws(LibraryError) -> Undo {
    try set(Self.savedKey(kind: kind, name: name), to: nil, stamp: moment.stamp)
  }
}
