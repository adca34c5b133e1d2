// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

extension Catalog {
  /// One page of the list of changes.
  public struct ChangePage: Sendable {
    /// The archive that the comics come from.
    public var archive: Archive
    /// The comics in the order of their last change, each once.
    public var comics: [ArchivedComic]
    /// The position after them.
    public var position: ChangePosition
    /// Whether more changes follow.
    public var isMore: Bool
  }
}
