// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore
public import LongboxStore
import LongboxUpstream

extension Albums {
  /// The cover of an album that was in some answer.
  /// - Throws: `CatalogError.absent` where the operator has switched covers off, or no answer told of one.
  public func cover(_ size: ArtworkSize, of album: StoreID) async throws(CatalogError) -> PictureContent {
    guard settings.showsArtwork else { throw .absent }
    let key = AlbumCovers.Key(album: album, size: size)
    if let cover = covers.memory[key] { return cover }
    do {
      if let cover = try await storedCover(key) { return cover }
      guard let client, let address = try await store.artworkAddress(of: album) else {
        throw CatalogError.absent
      }
      try await covers.work.value(for: key) { [self] in
        try await covers.failures.unlessRecent(key, now: now) {
          let artwork = try await client.artwork(at: Text(string: address), side: size.side)
          try await store.saveArtwork(artwork.bytes, format: artwork.format, from: address, size, of: album)
        }
      }
      guard let cover = try await storedCover(key) else { throw CatalogError.absent }
      return cover
    } catch {
      throw CatalogError(error)
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
  /// The width and height that the store is asked for, in pixels.
  public var side: Int {
    switch self {
    case .cover: 600
    case .small: 200
    }
  }
}
