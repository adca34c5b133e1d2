// Longbox
// SPDX-License-Identifier: MIT

/// A state of the stored comics: it grows with each real change of a record or of what is known of a picture.
public struct Revision: Hashable, Comparable, Sendable {
  /// The number of changes so far, as the store counts them.
  public let value: Int

  /// Makes a revision of a number that was kept elsewhere, as in the name of an archive.
  public init(_ value: Int) {
    self.value = value
  }

  /// The state before the first comic.
  public static var empty: Revision { Revision(0) }

  /// Orders by time.
  public static func < (left: Revision, right: Revision) -> Bool { left.value < right.value }
}
