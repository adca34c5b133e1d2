// Longbox
// SPDX-License-Identifier: MIT

/// One register of a library: a key, what it holds, and when that was written.
public struct LibraryEntry: Equatable, Sendable {
  /// The register's name.
  public let key: LibraryKey
  /// What it holds, or nothing where it was removed: a removal is kept and travels like a value.
  public let value: Text?
  /// When the value was written.
  public internal(set) var stamp: Stamp

  /// Makes an entry.
  /// - Throws: `LibraryError.valueTooLong`.
  public init(key: LibraryKey, value: Text?, stamp: Stamp) throws(LibraryError) {
    let length = value?.count ?? 0
    guard length <= LibraryLimits.valueLength else { throw .valueTooLong(length) }
    self.key = key
    self.value = value
    self.stamp = stamp
  }

  /// The bytes that count against ``LibraryLimits/size``.
  var size: Int { key.text.count + (value?.count ?? 0) }

  /// Whether the entry wins against another of the same key.
  ///
  /// The greater stamp does. Equal stamps on different values come from two devices with one number (a copied
  /// browser profile): then a value beats a removal, and the greater bytes beat the lesser, on every device alike.
  func beats(_ other: LibraryEntry) -> Bool {
    guard stamp == other.stamp else { return stamp > other.stamp }
    guard let value else { return false }
    guard let otherValue = other.value else { return true }
    return otherValue.precedes(value)
  }
}
