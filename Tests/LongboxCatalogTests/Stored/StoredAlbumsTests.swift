// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import Foundation
import LongboxCatalog
import LongboxCore
import LongboxStore
import TestSupport
import Testing

@Suite("Stored albums") struct StoredAlbumsTests {
  private func reply(_ id: Int, _ name: String, at seconds: TimeInterval) -> StoredReply {
    let row =
      "{\"wrapperType\":\"collection\",\"collectionType\":\"Album\",\"artistId\":7,\"collectionId\":\(id),"
      + "\"artistName\":\"The Lamps\",\"collectionName\":\"\(name)\",\"releaseDate\":\"1999-03-02T08:00:00Z\"}"
    let body = Array("{\"resultCount\":1,\"results\":[\(row)]}".utf8)
    return StoredReply(body: body, fetchedAt: Date(timeIntervalSince1970: seconds))
  }

  @Test func `are found by words of their names, most recently fetched first`() async throws {
    let folder = TemporaryFolder()
    let store = try Store.open(folder.url)
    for (id, name) in [(70, "Wick"), (71, "Glów"), (72, "Wicker")] {
      let reply = reply(id, name, at: TimeInterval(id))
      try await store.albums.save(reply, kind: .tracks, to: "tracks/gb/\(id)", artwork: [:])
      try await store.albums.save(reply, kind: .albums, to: "albums/gb/\(id)", artwork: [:])
    }
    try await store.albums.save(reply(73, "Wick", at: 1), kind: .tracks, to: "tracks/gb", artwork: [:])
    let albums = StoredAlbums(store)
    #expect(try await albums.albums(having: "wick lamps").map(\.id.value) == [72, 70])
    #expect(try await albums.albums(having: "glow 1999").map(\.name) == ["Glów"])
    #expect(try await albums.albums(having: "moth").isEmpty)
    try await store.closeOnNewThread()
    withExtendedLifetime(folder) {}
  }
}
