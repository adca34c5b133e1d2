// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore
public import LongboxStore
import LongboxUpstream

/// The albums whose tracks are stored, for read-only use of a data folder.
public struct StoredAlbums: Sendable {
  private let store: Store

  /// Makes a view of a store.
  public init(_ store: Store) {
    self.store = store
  }

  /// The albums whose names match some words, the most recently fetched first.
  /// - Throws: `CatalogError.store` if the store can't be read.
  public func albums(having words: Text) async throws(CatalogError) -> [SavedAlbum] {
    do {
      return try await store.albums.replies(of: .tracks) { question, reply in
        Self.album(question, reply).flatMap { $0.has(words) ? $0 : nil }
      }
    } catch {
      throw CatalogError(error)
    }
  }

  /// Decodes the reply to a question such as `tracks/gb/1038991417`.
  private static func album(_ question: String, _ reply: StoredReply) -> SavedAlbum? {
    let parts = question.split(separator: "/")
    guard parts.count == 3,
      let country = StoreCountry(Text(string: String(parts[1]))),
      let id = StoreID(Text(string: String(parts[2]))),
      let album = (try? ITunesReply(json: reply.body))?.album(id, in: country)?.album
    else { return nil }
    return SavedAlbum(
      id: id,
      country: country,
      year: album.released?.year ?? 0,
      name: album.name.full,
      artist: album.artist
    )
  }
}
