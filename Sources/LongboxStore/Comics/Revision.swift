// Longbox
// SPDX-License-Identifier: MIT

/// A version of the stored comics; it increases when a record, a picture's facts or a wiki's transcript changes.
public struct Revision: Hashable, Comparable, Sendable {
  /// Greater after each change; changes that are stored together may share a value.
  public let value: Int

  /// Makes a revision from a stored number.
  public init(_ value: Int) {
    self.value = value
  }

  /// The revision of an empty store.
  public static var empty: Revision { Revision(0) }

  /// Orders by time.
  public static func < (left: Revision, right: Revision) -> Bool { left.value < right.value }
}
