// Longbox
// SPDX-License-Identifier: MIT

/// A register of a library: a key, its value, and when that was written.
public struct LibraryEntry: Equatable, Sendable {
  /// The register's name.
  public let key: LibraryKey
  /// The value, or nil if it was removed; a removal is kept and synced like a value.
  public let value: Text?
  /// When the value was written.
  public internal(set) var timestamp: Timestamp

  /// Creates an entry.
  /// - Throws: `LibraryError.valueTooLong`.
  public init(key: LibraryKey, value: Text?, timestamp: Timestamp) throws(LibraryError) {
    let length = value?.count ?? 0
    guard length <= LibraryLimits.valueLength else { throw .valueTooLong(length) }
    self.key = key
    self.value = value
    self.timestamp = timestamp
  }

  /// The bytes that count towards ``LibraryLimits/size``.
  var size: Int { key.text.count + (value?.count ?? 0) }

  /// Whether the entry wins against another with the same key.
  ///
  /// The greater timestamp wins. Equal timestamps with different values come from two devices with one number
  /// (a copied browser profile): then a value beats a removal, and the greater bytes beat the lesser.
  func beats(_ other: LibraryEntry) -> Bool {
    guard timestamp == other.timestamp else { return timestamp > other.timestamp }
    guard let value else { return false }
    guard let otherValue = other.value else { return true }
    return otherValue.precedes(value)
  }
}
