// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore
import LongboxStore
import Testing
import TestSupport

@Suite("Albums in the store") struct StoreAlbumsTests {
  let folder = TemporaryFolder()

  private func id(_ value: UInt64) throws -> StoreID { try #require(StoreID(value)) }

  private func reply(_ text: String, at date: Date = testDate()) -> StoredReply {
    StoredReply(body: Array(text.utf8), fetchedAt: date)
  }

  private func keep(
    _ picture: Int,
    _ size: ArtworkSize = .cover,
    as format: PictureFacts.Format = .jpeg,
    of album: UInt64 = 7,
    from address: String = "x",
    at date: Date = testDate(),
    in store: Store
  ) async throws {
    let bytes = pictureBytes(picture)
    let album = try id(album)
    try await store.albums.saveArtwork(bytes, format: format, from: address, size, of: album, fetchedAt: date)
  }

  @Test(arguments: Engine.tested)
  func `store a reply as it was sent, and replace it with a newer one`(engine: Engine) async throws {
    let store = try await engine.open(folder.url)
    #expect(try await store.albums.reply(to: "albums/us/7") == nil)
    try await store.albums.save(reply("\n\n{}\u{0}"), kind: .albums, to: "albums/us/7", artwork: [:])
    try await store.albums.save(reply("other"), kind: .albums, to: "albums/gb/7", artwork: [:])
    #expect(try await store.albums.reply(to: "albums/us/7") == reply("\n\n{}\u{0}"))
    try await store.albums.save(reply("new", at: testDate(5)), kind: .albums, to: "albums/us/7", artwork: [:])
    #expect(try await store.albums.reply(to: "albums/us/7") == reply("new", at: testDate(5)))
    #expect(try await store.albums.reply(to: "albums/gb/7") == reply("other"))
  }

  @Test(arguments: Engine.tested)
  func `drop the oldest searches, but no album`(engine: Engine) async throws {
    let store = try await engine.open(folder.url)
    try await store.albums.save(reply("album"), kind: .tracks, to: "tracks/us/1", artwork: [:])
    for number in 0..<2_005 {
      let question = "artists/us/\(number)"
      try await store.albums.save(
        reply("a", at: testDate(number)),
        kind: .artists,
        to: question,
        artwork: [:]
      )
    }
    #expect(try await store.albums.reply(to: "artists/us/4") == nil)
    #expect(try await store.albums.reply(to: "artists/us/5") != nil)
    #expect(try await store.albums.reply(to: "tracks/us/1") != nil)
  }

  @Test(arguments: Engine.tested)
  func `replace Wikipedia's reply in a language with a newer one`(engine: Engine) async throws {
    let store = try await engine.open(folder.url)
    try await store.albums.saveArticle(reply("a"), of: id(7), language: "en")
    try await store.albums.saveArticle(reply("b"), of: id(7), language: "en")
    #expect(try await store.albums.article(of: id(7), language: "en") == reply("b"))
    #expect(try await store.albums.article(of: id(7), language: "de") == nil)
    try await store.albums.expireArticle(of: id(7), language: "en")
    let expired = reply("b", at: Date(timeIntervalSince1970: 0))
    #expect(try await store.albums.article(of: id(7), language: "en") == expired)
  }

  @Test(arguments: Engine.tested)
  func `keep a cover for its address, and drop it for a new address`(engine: Engine) async throws {
    let store = try await engine.open(folder.url)
    let address = "https://is1-ssl.mzstatic.com/a/100x100bb.jpg"
    try await store.albums.save(reply("a"), kind: .tracks, to: "tracks/us/7", artwork: [id(7): address])
    #expect(try await store.albums.artworkAddress(of: id(7)) == address)
    #expect(try await store.albums.artwork(.cover, of: id(7))?.bytes == nil)
    let bytes = pictureBytes(1)
    try await keep(1, from: address, in: store)
    try await keep(2, .small, as: .png, from: address, in: store)
    let found = try #require(try await store.albums.artwork(.cover, of: id(7)))
    #expect(found.bytes == bytes && found.picture.name.hasSuffix(".jpg"))
    let small = try #require(try await store.albums.artwork(.small, of: id(7)))
    #expect(small.bytes == pictureBytes(2) && small.picture.name.hasSuffix(".png"))
    _ = try await store.pictures.sweep()
    #expect(try await store.albums.artwork(.cover, of: id(7))?.bytes == bytes)
    try await store.albums.save(
      reply("b"),
      kind: .tracks,
      to: "tracks/us/7",
      artwork: [id(7): address + "?2"]
    )
    #expect(try await store.albums.artwork(.cover, of: id(7))?.bytes == nil)
  }

  @Test(arguments: Engine.tested)
  func `leave no file of a replaced cover behind`(engine: Engine) async throws {
    let store = try await engine.open(folder.url)
    for number in 1...3 {
      let address = "https://is1-ssl.mzstatic.com/\(number)/100x100bb.jpg"
      try await store.albums.save(reply("a"), kind: .tracks, to: "tracks/us/7", artwork: [id(7): address])
      try await keep(number, from: address, in: store)
      let audit = try await store.audit(readingPictures: true)
      #expect(audit.wholeCovers == 1 && audit.unusedFiles == 0)
    }
    #expect(try await store.albums.artwork(.cover, of: id(7))?.bytes == pictureBytes(3))
  }

  @Test(arguments: [Engine.sqlite])
  func `audit covers as they do pictures`(engine: Engine) async throws {
    let store = try await engine.open(folder.url)
    try await store.albums.save(
      reply("a"),
      kind: .tracks,
      to: "tracks/us/7",
      artwork: [id(7): "x", id(8): "y"]
    )
    try await keep(1, in: store)
    try await keep(2, of: 8, from: "y", in: store)
    let file = try #require(try await store.albums.artwork(.cover, of: id(7))).picture.file
    try Data([1, 2, 3]).write(to: file)
    let damaged = try await store.audit()
    #expect(damaged.wholeCovers == 1 && damaged.damagedPictures.count == 1 && !damaged.isSound)
    try FileManager.default.removeItem(at: file)
    #expect(try await store.audit().missingPictures.count == 1)
  }

  @Test(arguments: [Engine.sqlite])
  func `treat a truncated cover as missing`(engine: Engine) async throws {
    let store = try await engine.open(folder.url)
    try await store.albums.save(reply("a"), kind: .tracks, to: "tracks/us/7", artwork: [id(7): "x"])
    try await keep(1, in: store)
    let file = try #require(try await store.albums.artwork(.cover, of: id(7))).picture.file
    try Data([1, 2, 3]).write(to: file)
    #expect(try await store.albums.artwork(.cover, of: id(7))?.bytes == nil)
  }

  @Test(arguments: Engine.tested)
  func `drop the oldest covers with their files, except a file of another album`(engine: Engine) async throws
  {
    var limits = AlbumLimits()
    limits.covers = 2
    let store = try await engine.open(folder.url, keeping: limits)
    let addresses = Dictionary(uniqueKeysWithValues: try (1...4).map { (try id($0), "x") })
    try await store.albums.save(reply("a"), kind: .albums, to: "albums/us/1", artwork: addresses)
    // The first and the third album have the same cover.
    for (album, picture) in [(1, 1), (2, 2), (3, 1), (4, 4)] {
      try await keep(picture, .small, of: UInt64(album), at: testDate(album), in: store)
    }
    #expect(try await store.albums.artwork(.small, of: id(1)) == nil)
    #expect(try await store.albums.artwork(.small, of: id(2)) == nil)
    #expect(try await store.albums.artwork(.small, of: id(3))?.bytes == pictureBytes(1))
    #expect(try await store.albums.artwork(.small, of: id(4))?.bytes == pictureBytes(4))
    let audit = try await store.audit(readingPictures: true)
    #expect(audit.wholeCovers == 2 && audit.unusedFiles == 0 && audit.isSound)
  }

  @Test(arguments: Engine.tested)
  func `drop the oldest addresses, except those of stored covers`(engine: Engine) async throws {
    var limits = AlbumLimits()
    limits.addresses = 2
    let store = try await engine.open(folder.url, keeping: limits)
    func hear(of album: UInt64, at date: Date) async throws {
      let question = "tracks/us/\(album)"
      try await store.albums.save(
        reply("a", at: date),
        kind: .tracks,
        to: question,
        artwork: [id(album): "x"]
      )
    }
    try await hear(of: 1, at: testDate(1))
    try await keep(1, of: 1, in: store)
    for album in 2...4 { try await hear(of: UInt64(album), at: testDate(album)) }
    #expect(try await store.albums.artworkAddress(of: id(2)) == nil)
    for album in [1, 3, 4] as [UInt64] {
      #expect(try await store.albums.artworkAddress(of: id(album)) == "x")
    }
    // A new reply makes an address new again.
    try await hear(of: 3, at: testDate(5))
    try await hear(of: 5, at: testDate(6))
    #expect(try await store.albums.artworkAddress(of: id(3)) == "x")
    #expect(try await store.albums.artworkAddress(of: id(4)) == nil)
  }

  @Test(arguments: Engine.tested)
  func `drop the oldest articles`(engine: Engine) async throws {
    var limits = AlbumLimits()
    limits.articles = 2
    let store = try await engine.open(folder.url, keeping: limits)
    for number in 1...4 {
      let album = try id(UInt64(number))
      try await store.albums.saveArticle(reply("a", at: testDate(number)), of: album, language: "en")
    }
    #expect(try await store.albums.article(of: id(2), language: "en") == nil)
    #expect(try await store.albums.article(of: id(3), language: "en") != nil)
    #expect(try await store.albums.article(of: id(4), language: "en") != nil)
  }
}
