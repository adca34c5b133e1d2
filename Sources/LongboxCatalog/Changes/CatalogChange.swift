// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// What has changed in the catalog since a subscriber last looked.
///
/// Several changes arrive merged into one where the subscriber is slower than they are.
public struct CatalogChange: Sendable {
  /// The comics that are new in the archive.
  public let newComics: Set<Comic.Number>
  /// The comics whose text, picture or facts about the picture have changed.
  public let changedComics: Set<Comic.Number>
  /// The comics with a new or changed explanation.
  ///
  /// Each is named twice: when its text is stored, and when search finds it.
  public let explanations: Set<Comic.Number>
  /// The catalog when the change was read: at least as new as the change.
  public let snapshot: Catalog.Snapshot

  init(_ changes: ChangeSet, in snapshot: Catalog.Snapshot) {
    newComics = changes.newComics
    changedComics = changes.changedComics
    explanations = changes.explanations
    self.snapshot = snapshot
  }
}
