// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// What has changed in the catalog since a subscriber last looked, as one merged change.
public struct CatalogChange: Sendable {
  /// Comics that are new in the archive.
  public let newComics: Set<Comic.Number>
  /// Comics whose text, picture or picture facts have changed.
  public let changedComics: Set<Comic.Number>
  /// Comics whose explanation has changed; each is reported when the text is stored, and when search finds
  /// it.
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
