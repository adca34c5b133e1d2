// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import LongboxStore

/// Inspects stored pictures again: those that have no thumbnail, or facts from older rules.
final class PictureReinspector: Sendable {
  private let store: Store
  private let cache: PictureCache
  private let inspector: PictureInspector
  private let requests: ComicRequests
  private let publisher: ArchivePublisher

  init(
    store: Store,
    cache: PictureCache,
    inspector: PictureInspector,
    requests: ComicRequests,
    publisher: ArchivePublisher
  ) {
    self.store = store
    self.cache = cache
    self.inspector = inspector
    self.requests = requests
    self.publisher = publisher
  }

  /// Finds a stored picture's facts and makes its thumbnail; nothing is stored if the picture is replaced in the meantime.
  ///
  /// A picture that can't be decoded is removed, so that it is fetched again. It was whole when it came, so its file is
  /// damaged now.
  /// - Throws: `CatalogError.absent` if there is no picture that can be decoded; `PictureError.unavailable` or
  ///   `PictureError.cancelled`.
  func inspect(_ number: Comic.Number) async throws {
    try await requests.once(.thumbnail(number)) { [self] in
      guard let content = try await cache.picture(.standard, of: number) else { throw CatalogError.absent }
      let inspected: PictureInspector.Inspection
      do throws(PictureError) {
        inspected = try await inspector.inspect(content.bytes)
      } catch {
        switch error {
        case .unavailable, .cancelled: throw error
        case .foreign, .tooManyBytes, .tooManyPixels, .damaged, .undecodable:
          try await store.pictures.discard(of: number)
          cache.forget(number)
          throw CatalogError.absent
        }
      }
      try await store.pictures.save(
        inspected.facts,
        rulesVersion: PictureInspector.rulesVersion,
        thumbnail: inspected.thumbnail,
        of: number,
        inspected: content.name
      )
      cache.forget(number)
      try await publisher.publish()
    }
  }

  /// Inspects the next pictures that need it.
  /// - Returns: whether to go on: there was something to do, and pictures can be decoded.
  func step(limit: Int = 16) async throws -> Bool {
    let numbers = try await store.pictures.numbersToInspect(
      rulesVersion: PictureInspector.rulesVersion,
      limit: limit
    )
    for number in numbers {
      do {
        try await inspect(number)
      } catch CatalogError.absent {
        continue
      } catch PictureError.unavailable {
        return false
      }
    }
    return !numbers.isEmpty
  }
}
