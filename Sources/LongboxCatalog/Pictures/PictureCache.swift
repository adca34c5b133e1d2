// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import LongboxStore
import Synchronization

/// A picture's bytes with their name and type.
public struct PictureContent: Equatable, Sendable {
  /// The name by content: equal names mean equal bytes.
  public let name: String
  /// The media type, such as `image/png`.
  public let mediaType: String
  public let bytes: [UInt8]

  init(name: String, mediaType: String, bytes: [UInt8]) {
    self.name = name
    self.mediaType = mediaType
    self.bytes = bytes
  }

  init(_ stored: StoredPicture, bytes: [UInt8]) {
    let mediaType =
      switch stored.name.split(separator: ".").last {
      case "png": "image/png"
      case "gif": "image/gif"
      case "webp": "image/webp"
      default: "image/jpeg"
      }
    self.init(name: stored.name, mediaType: mediaType, bytes: bytes)
  }
}

/// Comics' stored pictures, with the latest ones in memory.
final class PictureCache: Sendable {
  private struct Key: Hashable {
    var number: Comic.Number
    var kind: PictureKind
  }

  private let read: @Sendable (PictureKind, Comic.Number) async throws -> PictureContent?
  private let memory: MemoryCache<Key, PictureContent>
  /// Increases with each change, so that a picture read before a change is not cached after it.
  private let changes = Mutex(0)
  private let fromDisk = Atomic(0)
  private let fromSource = Atomic(0)

  /// - Parameter memoryLimit: the most bytes of pictures in memory.
  convenience init(store: Store, memoryLimit: Int) {
    self.init(memoryLimit: memoryLimit) { kind, number in
      guard
        let stored = try await store.pictures.picture(kind, of: number),
        let bytes = try await store.pictures.bytes(of: stored)
      else { return nil }
      return PictureContent(stored, bytes: bytes)
    }
  }

  /// - Parameters:
  ///   - memoryLimit: the most bytes of pictures in memory.
  ///   - read: reads a picture from the disk.
  init(
    memoryLimit: Int,
    read: @escaping @Sendable (PictureKind, Comic.Number) async throws -> PictureContent?
  ) {
    self.read = read
    memory = MemoryCache(limit: memoryLimit)
  }

  /// A picture from memory or the disk.
  func picture(_ kind: PictureKind, of number: Comic.Number) async throws -> PictureContent? {
    if let content = pictureInMemory(kind, of: number) { return content }
    let before = changes.withLock { $0 }
    guard let content = try await read(kind, number) else { return nil }
    fromDisk.wrappingAdd(1, ordering: .relaxed)
    changes.withLock { changes in
      guard changes == before else { return }
      memory.insert(content, for: Key(number: number, kind: kind), cost: content.bytes.count)
    }
    return content
  }

  func pictureInMemory(_ kind: PictureKind, of number: Comic.Number) -> PictureContent? {
    memory[Key(number: number, kind: kind)]
  }

  /// Counts a picture that had to be fetched.
  func noteFetched() { fromSource.wrappingAdd(1, ordering: .relaxed) }

  /// Where pictures were found.
  var counts: PictureCacheCounts {
    let memory = memory.statistics
    return PictureCacheCounts(
      memory: memory.hits,
      disk: fromDisk.load(ordering: .relaxed),
      source: fromSource.load(ordering: .relaxed),
      memoryBytes: memory.cost
    )
  }

  /// Removes a comic's pictures from memory, after the disk has new ones.
  func forget(_ number: Comic.Number) {
    changes.withLock { changes in
      changes += 1
      for kind in PictureKind.allCases { memory.remove(Key(number: number, kind: kind)) }
    }
  }
}

/// Where comics' pictures were found since the start.
public struct PictureCacheCounts: Hashable, Sendable {
  /// How many in memory.
  public var memory: Int
  /// How many on the disk.
  public var disk: Int
  /// How many had to be fetched.
  public var source: Int
  public var memoryBytes: Int
}
