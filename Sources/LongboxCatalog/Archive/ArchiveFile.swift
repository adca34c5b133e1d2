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
  /// Whether an archive can have been made from this store, and not from a database that it has replaced.
  ///
  /// Every comic of the archive must be stored. Stored comics that haven't changed since must be in it, unless no
  /// archive takes them. The revision alone doesn't show it, because each database counts from 1.
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
