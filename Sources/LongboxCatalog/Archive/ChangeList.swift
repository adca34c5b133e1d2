// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import LongboxStore

/// The comics of one repository in the order of their last change.
struct ChangeList: Sendable {
  let store: Store
  let archive: Archive

  /// One page of the list.
  /// - Returns: nil if the position is ahead of the archive.
  func page(after place: ChangePlace, limit: Int) async throws -> Catalog.Changes? {
    guard place.revision <= archive.revision else { return nil }
    // One more than requested, to see whether more follow. Changes beyond the archive come later.
    let changed = try await store.changes(
      after: Revision(place.revision),
      place.number,
      upTo: Revision(archive.revision),
      limit: limit + 1
    )
    let isMore = changed.count > limit
    let last = changed.prefix(limit).last
    return Catalog.Changes(
      archive: archive,
      // A comic that can't be decoded is stored, but not in the archive.
      comics: changed.prefix(limit).compactMap { archive.comic($0.number) },
      place: isMore
        ? ChangePlace(revision: last?.revision.value ?? 0, number: last?.number.value ?? 0)
        : ChangePlace(revision: archive.revision),
      isMore: isMore
    )
  }
}
