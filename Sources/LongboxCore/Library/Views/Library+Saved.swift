// Longbox
// SPDX-License-Identifier: MIT

/// Saved items, such as an album or a quiz result: `saved/album/1440857781`. The kind defines what the value means.
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
