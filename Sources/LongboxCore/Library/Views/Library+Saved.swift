// Longbox
// SPDX-License-Identifier: MIT

/// A saved item, such as an album or a quiz result; its kind defines the meaning of the value.
public struct SavedItem: Equatable, Sendable {
  /// The name within its kind.
  public let name: Text
  /// The encoded value.
  public let value: Text
  /// When it was last saved.
  public let timestamp: Timestamp
}

/// Saved items: `saved/album/1440857781`.
extension Library {
  /// The key of a saved item.
  /// - Parameters:
  ///   - kind: such as `album`; without a slash, so that no kind contains another.
  ///   - name: the name within the kind.
  /// - Throws: `LibraryError.savedName` if either is empty or the kind has a slash, `LibraryError.keyLength`.
  public static func savedKey(kind: Text, name: Text) throws(LibraryError) -> LibraryKey {
    guard !kind.isEmpty, !kind.bytes.contains(UInt8(ascii: "/")), !name.isEmpty else { throw .savedName }
    return try LibraryKey("saved/" + kind + "/" + name)
  }

  /// All saved items of a kind, ordered by name.
  public func saved(kind: Text) -> [SavedItem] {
    let prefix: Text = "saved/" + kind + "/"
    return places(under: prefix).compactMap { place in
      let entry = entries[place]
      guard let value = entry.value else { return nil }
      return SavedItem(
        name: Text(entry.key.text.bytes.dropFirst(prefix.count)),
        value: value,
        timestamp: entry.timestamp
      )
    }
  }

  /// Saves something, in place of anything with the same kind and name.
  /// - Throws: as ``savedKey(kind:name:)``, and `LibraryError.valueTooLong` or `LibraryError.full`.
  @discardableResult
  public mutating func save(
    _ value: Text,
    kind: Text,
    name: Text,
    at editTime: EditTime
  ) throws(LibraryError) -> Undo {
    try set(Self.savedKey(kind: kind, name: name), to: value, timestamp: editTime.timestamp)
  }
}
