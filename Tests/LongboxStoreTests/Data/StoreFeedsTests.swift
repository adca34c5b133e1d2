// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore
import Testing
import TestSupport

@testable import LongboxStore

@Suite("Feeds in the store") struct StoreFeedsTests {
  private let date = Date(timeIntervalSince1970: 1_800_000_000)
  private let a = LibraryName(key: [1])
  private let b = LibraryName(key: [2])

  private func feed(_ token: String, _ library: LibraryName) -> FavoritesFeed {
    FavoritesFeed(token: token, library: library, createdAt: date)
  }

  @Test(arguments: Engine.tested)
  func `have a date only for comics that changed`(engine: Engine) async throws {
    let folder = TemporaryFolder()
    let store = try await engine.open(folder.url)
    let numbers = try [1, 2, 3].map { try #require(Comic.Number($0)) }
    try await store.comics.save(
      numbers.prefix(2).map { FetchedRecord(number: $0, raw: [1], fetchedAt: date) }
    )
    try await store.feeds.noteChanges(of: Array(numbers.dropFirst()), at: date)
    #expect(try await store.feeds.changeDates(of: numbers) == [numbers[1]: date])
    try await store.feeds.noteChanges(of: [numbers[1]], at: date + 7)
    #expect(try await store.feeds.changeDates(of: numbers) == [numbers[1]: date + 7])
  }

  @Test(arguments: Engine.tested)
  func `of favorites have one address, and none when it is revoked`(engine: Engine) async throws {
    let folder = TemporaryFolder()
    let store = try await engine.open(folder.url)
    try await store.feeds.saveFavoritesFeed(feed("first-of-reader-a", a))
    try await store.feeds.saveFavoritesFeed(feed("first-of-reader-b", b))
    try await store.feeds.saveFavoritesFeed(feed("second-of-reader-a", a))
    #expect(try await store.feeds.favoritesFeed("first-of-reader-a") == nil)
    #expect(try await store.feeds.favoritesFeeds(of: a) == [feed("second-of-reader-a", a)])
    try await store.feeds.removeFavoritesFeeds(of: a)
    #expect(try await store.feeds.favoritesFeed("second-of-reader-a") == nil)
    #expect(try await store.feeds.favoritesFeed("first-of-reader-b") == feed("first-of-reader-b", b))
  }

  @Test(arguments: Engine.tested)
  func `of paired libraries are found and revoked under both names`(engine: Engine) async throws {
    let folder = TemporaryFolder()
    let store = try await engine.open(folder.url)
    let library = Replica(device: 1)
    try await store.libraries.save(library, changedSince: 0, as: a, at: date)
    try await store.feeds.saveFavoritesFeed(feed("first-of-reader-a", a))
    try await store.feeds.saveFavoritesFeed(feed("first-of-reader-b", b))
    try await store.libraries.pair(a, holding: library, with: b, merged: library, changedSince: 0, at: date)
    #expect(try await store.feeds.favoritesFeeds(of: a).count == 2)
    #expect(try await store.feeds.favoritesFeeds(of: b).count == 2)
    try await store.feeds.removeFavoritesFeeds(of: a)
    #expect(try await store.feeds.favoritesFeeds(of: b).isEmpty)
  }

  @Test func `have an identifier that does not reveal their address`() {
    let id = feed("first-of-reader-a", a).identifier
    #expect(id == feed("first-of-reader-a", b).identifier)
    #expect(id != feed("first-of-reader-b", a).identifier)
    #expect(id.uuidString.dropFirst(14).first == "8", "version 8 of RFC 9562")
  }
}
