// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import Logging
import LongboxCore
public import LongboxStore
import LongboxUpstream

/// Albums' covers, from memory, the disk or the store's picture server.
final class AlbumCovers: Sendable {
  private struct Key: Hashable, Sendable {
    var album: StoreID
    var size: ArtworkSize
    /// Part of the key, so a cover from an old address never matches.
    var address: String
  }

  /// The most pixels of a cover; most have 360,000.
  private static let pixelLimit = 4_000_000

  private let store: Store
  private let client: ITunesClient?
  private let inspector: PictureInspector
  private let showsArtwork: Bool
  private let now: @Sendable () -> Date
  private let logger: Logger
  private let memory = MemoryCache<Key, PictureContent>(limit: 8 << 20)
  private let requests = SourceRequests<Key>(to: .artwork, perClient: 6)

  init(
    store: Store,
    client: ITunesClient?,
    inspector: PictureInspector,
    showsArtwork: Bool,
    now: @escaping @Sendable () -> Date,
    logger: Logger
  ) {
    self.store = store
    self.client = client
    self.inspector = inspector
    self.showsArtwork = showsArtwork
    self.now = now
    self.logger = logger
  }

  /// The cover of an album that a stored reply contains.
  func cover(
    _ size: ArtworkSize,
    of album: StoreID,
    within limit: Duration,
    for asker: String?
  ) async throws(CatalogError) -> PictureContent {
    guard showsArtwork else { throw .absent }
    do {
      guard let address = try await store.albums.artworkAddress(of: album) else { throw CatalogError.absent }
      let key = Key(album: album, size: size, address: address)
      if let cover = memory[key] { return cover }
      if let cover = try await storedCover(key) { return cover }
      guard let client else { throw CatalogError.absent }
      let fetched: Void? = try await withTimeout(limit) { [self] in
        try await requests.fetch(key, for: asker, now: now) { [self] in
          try await fetchCover(key, from: client)
        }
      }
      guard fetched != nil else { throw CatalogError.upstream(.timedOut(.artwork, subject: "a cover")) }
      guard let cover = try await storedCover(key) else { throw CatalogError.absent }
      return cover
    } catch {
      logger.noteStoreError(error)
      throw CatalogError(error)
    }
  }

  private func fetchCover(_ key: Key, from client: ITunesClient) async throws {
    let bytes: [UInt8]
    let format: PictureFacts.Format
    do throws(UpstreamError) {
      bytes = try await client.artwork(at: Text(string: key.address), side: key.size.side)
      format = try await inspector.formatOfWhole(bytes, from: .artwork, pixelLimit: Self.pixelLimit)
    } catch {
      requests.breaker.note(error, for: key, at: now())
      throw error
    }
    requests.breaker.end()
    try await store.albums.saveArtwork(
      bytes,
      format: format,
      from: key.address,
      key.size,
      of: key.album,
      fetchedAt: now()
    )
  }

  private func storedCover(_ key: Key) async throws -> PictureContent? {
    guard let (picture, bytes) = try await store.albums.artwork(key.size, of: key.album) else { return nil }
    let cover = PictureContent(picture, bytes: bytes)
    memory.insert(cover, for: key, cost: bytes.count)
    return cover
  }

  func cancelAll() async { await requests.cancelAll() }
}

extension ArtworkSize {
  /// The width and height to request, in pixels.
  public var side: Int {
    switch self {
    case .cover: 600
    case .small: 200
    }
  }
}
