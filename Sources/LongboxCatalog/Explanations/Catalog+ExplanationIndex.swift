// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore
import LongboxStore

extension Catalog {
  /// What makes a device's copy the index of explanations that is searched here: a delta, or a whole segment where no
  /// delta would do.
  /// - Returns: nothing where the copy is up to date.
  /// - Throws: `CatalogError.store` where the store can't be read.
  public func explanationUpdate(for copy: ArchiveCopy) async throws(CatalogError) -> Segment? {
    let repository = shown
    let index = repository.current.explanationIndex
    do {
      guard copy.canBeUpdated(to: index) else { return try index.compacted().segments[0] }
      guard copy.revision < index.revision else { return nil }
      // The texts of a delta are read anew, so beyond a part of them the whole is cheaper.
      let changes = try await repository.store.explanationCount(changedSince: copy.revision)
      guard changes <= index.count / 8 else { return try index.compacted().segments[0] }
      return try await repository.store.explanationDelta(from: copy.revision, to: index)
    } catch {
      throw CatalogError(error)
    }
  }

  /// Takes the explanations that have changed into the index that is searched.
  func indexExplanations() async throws {
    try await comics.indexExplanations()
  }
}
