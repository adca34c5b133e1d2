// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore
import LongboxStore

struct ArchiveFile: Sendable {
  static var name: String { "archive.lbx" }

  private let file: SegmentFile

  init(location: URL) {
    file = SegmentFile(location: location)
  }

  func read() -> Archive? { file.read().flatMap { try? Archive($0) } }

  /// Reads the archive of a store; nil if there is none, or if the file has other comics than the store.
  /// - Throws: `StoreError` if the store can't be read.
  func read(for store: Store) async throws -> Archive? {
    guard let archive = read(), try await store.canHaveMade(archive) else { return nil }
    return archive
  }

  func remove() { file.remove() }

  /// Replaces the file with an archive, as one segment.
  func write(_ archive: Archive) throws { try file.write(archive.compacted().segments[0]) }
}

extension Store {
  /// Whether an archive can have been made from this store.
  ///
  /// The database may have been replaced, and each database counts revisions from 1. So this compares the comics: those of
  /// the archive must be stored, and stored ones that haven't changed since must be in the archive, if it can hold them.
  fileprivate func canHaveMade(_ archive: Archive) async throws -> Bool {
    guard try await comics.revision().value >= archive.revision else { return false }
    let stored = try await comics.changes(after: .empty, 0, upTo: Revision(.max), limit: .max)
    let numbers = Set(stored.map(\.number))
    var areStored = true
    archive.visit { comic in
      areStored = numbers.contains(comic.number)
      return areStored
    }
    guard areStored else { return false }
    for change in stored where change.revision.value <= archive.revision {
      guard archive.comic(change.number) == nil, let comic = try await comics.comic(change.number) else {
        continue
      }
      let alone = ChangedComics(comics: [comic], transcripts: [:])
      guard try Archive.delta(of: alone, from: 0, to: archive.revision).count == 0 else { return false }
    }
    return true
  }
}
