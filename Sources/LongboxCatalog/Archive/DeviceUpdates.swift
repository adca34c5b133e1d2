// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import LongboxStore

/// The segments that bring a device's copies up to date.
struct DeviceUpdates: Sendable {
  let store: Store
  let published: PublishedComics

  /// The segment for a copy of the archive: a delta if possible, else the whole archive.
  /// - Returns: nil if the copy is up to date.
  func archive(for copy: ArchiveCopy) async throws -> Segment? {
    let archive = published.archive
    guard copy.canBeUpdated(to: archive) else { return try archive.compacted().segments[0] }
    guard copy.revision < archive.revision else { return nil }
    // Later changes of the store are included too. The next delta repeats them, which is harmless.
    let changed = try await store.changes(since: Revision(copy.revision))
    guard changed.comics.count < archive.count / 2 else { return try archive.compacted().segments[0] }
    return try Archive.delta(
      of: changed,
      from: copy.revision,
      to: archive.revision,
      isSampleBox: archive.isSampleBox
    )
  }

  /// The segment for a copy of the explanation index: a delta if possible, else the whole index.
  /// - Returns: nil if the copy is up to date.
  func explanationIndex(for copy: ArchiveCopy) async throws -> Segment? {
    let index = published.explanationIndex
    guard copy.canBeUpdated(to: index) else { return try index.compacted().segments[0] }
    guard copy.revision < index.revision else { return nil }
    // A delta decodes its texts again, so for many changes the whole index is cheaper.
    let changes = try await store.explanations.count(changedSince: copy.revision)
    guard changes <= index.count / 8 else { return try index.compacted().segments[0] }
    return try await store.explanationDelta(from: copy.revision, to: index)
  }
}
