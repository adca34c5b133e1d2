// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore
public import LongboxStore
import LongboxUpstream

extension Albums {
  /// The cover of an album that a stored answer contains.
  /// - Parameters:
  ///   - size: which size.
  ///   - album: the album.
  ///   - limit: the maximum wait for the picture server. A later download is still stored.
  /// - Throws: `CatalogError.absent` if the operator has switched covers off, or the album has no known
  ///   cover.
  public func cover(
    _ size: ArtworkSize,
    of album: StoreID,
    within limit: Duration
  ) async throws(CatalogError) -> PictureContent {
    guard settings.showsArtwork else { throw .absent }
    do {
      guard let address = try await store.artworkAddress(of: album) else { throw CatalogError.absent }
      let key = AlbumCovers.Key(album: album, size: size, address: address)
      if let cover = covers.memory[key] { return cover }
      if let cover = try await storedCover(key) { return cover }
      guard let client else { throw CatalogError.absent }
      let isThere = try await withTimeout(limit) { [self] in
        try await covers.outage.unlessDown(now: now()) { [self] in try await fetchCover(key, from: client) }
      }
      guard isThere else { throw CatalogError.upstream(.timedOut(.artwork, subject: "a cover")) }
      guard let cover = try await storedCover(key) else { throw CatalogError.absent }
      return cover
    } catch {
      note(error)
      throw CatalogError(error)
    }
  }

  private func fetchCover(_ key: AlbumCovers.Key, from client: ITunesClient) async throws {
    try await covers.work.value(for: key) { [self] in
      try await covers.failures.unlessRecent(key, now: now) {
        let artwork: Artwork
        do throws(UpstreamError) {
          artwork = try await client.artwork(at: Text(string: key.address), side: key.size.side)
        } catch {
          covers.outage.note(error, for: key, at: now())
          throw error
        }
        covers.outage.end()
        try await store.saveArtwork(
          artwork.bytes,
          format: artwork.format,
          from: key.address,
          key.size,
          of: key.album,
          fetchedAt: now()
        )
      }
    }
  }

  private func storedCover(_ key: AlbumCovers.Key) async throws -> PictureContent? {
    guard let (picture, bytes) = try await store.artwork(key.size, of: key.album) else { return nil }
    let cover = PictureContent(picture, bytes: bytes)
    covers.memory.insert(cover, for: key, cost: bytes.count)
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
