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
  func page(after position: ChangePosition, limit: Int) async throws -> Catalog.ChangePage? {
    guard position.revision <= archive.revision else { return nil }
    // One more than requested, to see whether more follow. Changes beyond the archive come later.
    let changed = try await store.comics.changes(
      after: Revision(position.revision),
      position.number,
      upTo: Revision(archive.revision),
      limit: limit + 1
    )
    let isMore = changed.count > limit
    let last = changed.prefix(limit).last
    return Catalog.ChangePage(
      archive: archive,
      // A comic that can't be decoded is stored, but not in the archive.
      comics: changed.prefix(limit).compactMap { archive.comic($0.number) },
      position: isMore
        ? ChangePosition(revision: last?.revision.value ?? 0, number: last?.number.value ?? 0)
        : ChangePosition(revision: archive.revision),
      isMore: isMore
    )
  }
}
