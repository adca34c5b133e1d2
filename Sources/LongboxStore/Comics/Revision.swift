// Longbox
// SPDX-License-Identifier: MIT

/// A version of the stored comics; it increases with each real change of a record or of a picture's facts.
public struct Revision: Hashable, Comparable, Sendable {
  /// The number of changes so far.
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
