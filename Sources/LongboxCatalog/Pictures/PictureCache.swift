// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import LongboxStore
import Synchronization

/// Comics' stored pictures, with the latest ones in memory.
final class PictureCache: Sendable {
  private struct Key: Hashable {
    var number: Comic.Number
    var kind: PictureKind
  }

  private let store: Store
  private let memory: MemoryCache<Key, PictureContent>
  private let fromDisk = Atomic(0)
  private let fromSource = Atomic(0)

  /// - Parameter memoryLimit: the most bytes of pictures in memory.
  init(store: Store, memoryLimit: Int) {
    self.store = store
    memory = MemoryCache(limit: memoryLimit)
  }

  /// A picture from memory or the disk.
  func picture(_ kind: PictureKind, of number: Comic.Number) async throws -> PictureContent? {
    if let content = pictureInMemory(kind, of: number) { return content }
    guard
      let stored = try await store.picture(kind, of: number),
      let bytes = try await store.bytes(of: stored)
    else { return nil }
    fromDisk.wrappingAdd(1, ordering: .relaxed)
    let content = PictureContent(stored, bytes: bytes)
    memory.insert(content, for: Key(number: number, kind: kind), cost: bytes.count)
    return content
  }

  func pictureInMemory(_ kind: PictureKind, of number: Comic.Number) -> PictureContent? {
    memory[Key(number: number, kind: kind)]
  }

  /// Counts a picture that had to be fetched.
  func noteFetched() { fromSource.wrappingAdd(1, ordering: .relaxed) }

  /// Where pictures were found.
  var answers: PictureAnswers {
    let memory = memory.statistics
    return PictureAnswers(
      memory: memory.hits,
      disk: fromDisk.load(ordering: .relaxed),
      source: fromSource.load(ordering: .relaxed),
      memoryBytes: memory.cost
    )
  }

  /// Removes a comic's pictures from memory, after the disk has new ones.
  func forget(_ number: Comic.Number) {
    for kind in PictureKind.allCases { memory.remove(Key(number: number, kind: kind)) }
  }
}
