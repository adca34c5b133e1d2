// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import Logging
public import LongboxCore
public import LongboxStore
import LongboxUpstream

/// Albums' covers, from memory, the disk or the store's picture server.
extension Albums {
  struct CoverKey: Hashable, Sendable {
    var album: StoreID
    var size: ArtworkSize
    /// Part of the key, so a cover from an old address never matches.
    var address: String
  }

  /// The most pixels of a cover; most have 360,000.
  private static let coverPixelLimit = 4_000_000

  /// The cover of an album that a stored reply contains.
  /// - Parameters:
  ///   - size: which size.
  ///   - album: the album.
  ///   - limit: the maximum wait for the picture server. A later download is still stored.
  ///   - asker: the address of the client that asks, whose requests take turns; nil for no turns.
  /// - Throws: `CatalogError.absent` if the operator has switched covers off, or the album has no known
  ///   cover.
  public func cover(
    _ size: ArtworkSize,
    of album: StoreID,
    within limit: Duration,
    for asker: String? = nil
  ) async throws(CatalogError) -> PictureContent {
    guard settings.showsArtwork else { throw .absent }
    do {
      guard let address = try await store.albums.artworkAddress(of: album) else { throw CatalogError.absent }
      let key = CoverKey(album: album, size: size, address: address)
      if let cover = coverMemory[key] { return cover }
      if let cover = try await storedCover(key) { return cover }
      guard let client else { throw CatalogError.absent }
      let fetched: Void? = try await withTimeout(limit) { [self] in
        try await coverRequests.fetch(key, for: asker, now: now) { [self] in
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

  private func fetchCover(_ key: CoverKey, from client: ITunesClient) async throws {
    let bytes: [UInt8]
    let format: PictureFacts.Format
    do throws(UpstreamError) {
      bytes = try await client.artwork(at: Text(string: key.address), side: key.size.side)
      format = try await inspector.formatOfWhole(bytes, from: .artwork, pixelLimit: Self.coverPixelLimit)
    } catch {
      coverRequests.breaker.note(error, for: key, at: now())
      throw error
    }
    coverRequests.breaker.end()
    try await store.albums.saveArtwork(
      bytes,
      format: format,
      from: key.address,
      key.size,
      of: key.album,
      fetchedAt: now()
    )
  }

  private func storedCover(_ key: CoverKey) async throws -> PictureContent? {
    guard let (picture, bytes) = try await store.albums.artwork(key.size, of: key.album) else { return nil }
    let cover = PictureContent(picture, bytes: bytes)
    coverMemory.insert(cover, for: key, cost: bytes.count)
    return cover
  }
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
