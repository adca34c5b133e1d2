// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore
import LongboxStore

extension Catalog {
  /// The segment that updates a device's copy of the explanation index: a delta if possible, else the whole.
  /// - Returns: nil if the copy is up to date.
  /// - Throws: `CatalogError.store` if the store can't be read.
  public func explanationUpdate(for copy: ArchiveCopy) async throws(CatalogError) -> Segment? {
    let repository = shown
    let index = repository.current.explanationIndex
    do {
      guard copy.canBeUpdated(to: index) else { return try index.compacted().segments[0] }
      guard copy.revision < index.revision else { return nil }
      // A delta decodes its texts again, so for many changes the whole index is cheaper.
      let changes = try await repository.store.explanationCount(changedSince: copy.revision)
      guard changes <= index.count / 8 else { return try index.compacted().segments[0] }
      return try await repository.store.explanationDelta(from: copy.revision, to: index)
    } catch {
      throw CatalogError(error)
    }
  }

  func indexExplanations() async throws {
    try await comics.indexExplanations()
  }
}
