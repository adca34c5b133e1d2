// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import Foundation
import HTTPTypes
import HummingbirdTesting
import LongboxCore
import LongboxPush
import LongboxStore
import PushTestSupport
import Testing
import TestSupport

@testable import LongboxCatalog
@testable import LongboxReaders
@testable import LongboxServer

/// A new comic in all its places: pages, JSON, search, feeds, the OPDS catalogue, a device's archive, and a
/// browser's notifications.
private struct Publication: Sendable {
  let server: ServerBench
  let service: FakePushService
  let announcer: Announcer
  let browser = FakeBrowser()
  /// The device's earlier copy.
  let copy: Archive

  init(_ server: ServerBench, _ service: FakePushService) async throws {
    self.server = server
    self.service = service
    let origin = try #require(PushEndpoint.Origin(service.origin))
    let keys = try VAPIDKeys.loadOrCreate(in: server.back.folder.url)
    announcer = Announcer(
      catalog: server.back.catalog,
      store: server.back.store,
      sender: PushSender(keys: keys, trusting: [origin]),
      rejections: RejectionLog(logger: .silent),
      logger: .silent,
      now: { server.back.time.now }
    )
    copy = try await Archive(Segment(server.get("/archive").bytes))
    let subscription = NewSubscription(
      endpoint: "\(service.origin)/reader",
      service: service.origin,
      publicKey: browser.publicKey,
      secret: browser.secret
    )
    let newest = server.back.catalog.snapshot.archive.latest?.number
    let store = server.back.store
    let stored = try await store.subscriptions.save(subscription, newest: newest, at: server.back.time.now)
    try await store.subscriptions.confirm(#require(stored))
  }

  var catalog: Catalog { server.back.catalog }

  /// Looks for a new comic once.
  func look() async throws { try await catalog.refresher.checkNewest() }

  /// Runs one pass of the announcer.
  func announce() async throws {
    let newest = try #require(catalog.snapshot.archive.latest?.number)
    _ = try await announcer.announce(upTo: newest, since: server.back.time.now)
  }

  /// Fetches everything that is due, like the refresh service.
  func fill() async throws {
    while case .worked = try await catalog.comics.backgroundFill.step() {}
  }

  /// The places where a title appears, for readers, programs and devices.
  func places(of title: String, comic: Int) async throws -> Set<String> {
    let query = title.lowercased().replacing(" ", with: "+")
    var places: Set<String> = []
    for path in [
      "/", "/\(comic)/", "/comics", "/search?q=\(query)", "/api/search?q=\(query)", "/api/comics/\(comic)",
      "/api/comics?since=\(comic - 1)", "/\(comic)/info.0.json", "/feed.atom", "/feed.json",
      "/feed.json?q=\(query)", "/opds/latest",
    ] {
      let answer = try await server.get(path)
      // Search results mark the matches.
      let text = answer.text.replacing("<mark>", with: "").replacing("</mark>", with: "")
      if answer.status == .ok, text.contains(title) { places.insert(path) }
    }
    if try await deviceCopy().comic(Comic.Number(of: comic))?.title.description == title {
      places.insert("the device")
    }
    return places
  }

  /// The device's copy after an update.
  func deviceCopy() async throws -> Archive {
    let answer = try await server.get("/archive?since=\(copy.revision)&rules=\(copy.rules)&samples=0")
    guard answer.status == .ok else { return copy }
    let segment = try Segment(answer.bytes)
    // After many changes the update is complete.
    return try segment.base == 0 ? Archive(segment) : copy.adding(segment)
  }

  /// The comics of the notifications, in order.
  func notified() throws -> [Int] {
    try notifications().map(\.comic)
  }

  struct Notification: Decodable {
    var comic: Int
    var thumbnail: String?
  }

  /// The received notifications, in order.
  func notifications() throws -> [Notification] {
    try service.messages.map { message in
      try JSONDecoder().decode(Notification.self, from: Data(browser.text(of: message.body)))
    }
  }
}

@Suite("A new comic", .timeLimit(.minutes(10))) struct PublishingTests {
  private func withPublication(_ test: @Sendable (Publication) async throws -> Void) async throws {
    try await FakePushService.run(answering: { _ in .status(201) }) { service async throws in
      try await withServer { server async throws in
        try await test(Publication(server, service))
      }
    }
  }

  /// All places of the newest comic.
  private let everywhere: Set = [
    "/", "/7/", "/comics", "/search?q=sour+dough", "/api/search?q=sour+dough", "/api/comics/7",
    "/api/comics?since=6", "/7/info.0.json", "/feed.atom", "/feed.json", "/feed.json?q=sour+dough",
    "/opds/latest", "the device",
  ]

  @Test func `is everywhere after one look, and notified once`() async throws {
    try await withPublication { news async throws in
      #expect(try await news.places(of: "Sour Dough", comic: 7) == [])
      let feed = try await news.server.get("/feed.atom").headers[.eTag]

      news.server.xkcd.publish(upTo: 7)
      news.server.xkcd.set(HandmadeRecord.raw(7, title: "Sour Dough", date: SettableTime.start), for: 7)
      let generation = news.catalog.snapshot.generation
      try await news.look()
      // All are made from one snapshot, so none can be newer than another.
      #expect(news.catalog.snapshot.generation > generation)
      #expect(try await news.places(of: "Sour Dough", comic: 7) == everywhere)
      #expect(try await news.server.get("/feed.atom").headers[.eTag] != feed)
      #expect(try news.notified() == [])

      try await news.announce()
      #expect(try news.notified() == [7])
      let thumbnail = try #require(try news.notifications().first?.thumbnail)
      #expect(thumbnail.wholeMatch(of: /\/comics\/7\/thumbnail\?v=[0-9a-f]{8}/) != nil)
      #expect(try await news.server.get(thumbnail).status == .ok)
      #expect(try await news.deviceCopy().comic(Comic.Number(of: 7))?.picture != nil)
      #expect(try await news.server.get("/comics/7/thumbnail").status == .ok)
      for _ in 1...3 {
        try await news.look()
        try await news.announce()
      }
      #expect(try news.notified() == [7])
    }
  }

  @Test func `that its author replaces is refreshed everywhere, but not notified again`() async throws {
    try await withPublication { news async throws in
      let seventh = Comic.Number(of: 7)
      news.server.xkcd.publish(upTo: 8)
      for title in ["Bread 7", "Sour Dough"] {
        news.server.xkcd.set(HandmadeRecord.raw(7, title: title, date: SettableTime.start), for: 7)
        news.server.back.time.advance(by: 7 * 3600)
        try await news.look()
        try await news.fill()
        try await news.announce()
      }
      let places = try await news.places(of: "Sour Dough", comic: 7)
      #expect(places.symmetricDifference(everywhere) == ["/"], "The newest comic's page is another.")
      #expect(try await news.places(of: "Bread 7", comic: 7) == [])
      #expect(try news.notified() == [7, 8])

      // Another picture with the same name, so the record does not change.
      let before = try #require(try await news.deviceCopy().comic(seventh)?.picture)
      let old = try await news.server.get("/comics/7/image").bytes
      news.server.xkcd.set(picture: HandmadeRecord.picture(70), named: "bread_7.png")
      news.server.back.time.advance(by: 7 * 3600)
      try await news.look()
      try await news.fill()
      try await news.announce()
      let after = try #require(try await news.deviceCopy().comic(seventh)?.picture)
      #expect(after.version != before.version)
      #expect(try await news.server.get("/comics/7/image").bytes == HandmadeRecord.picture(70))
      #expect(old == HandmadeRecord.picture(7))
      #expect(try await news.server.get("/7/").text.contains(after.versionText.description))
      #expect(try news.notified() == [7, 8])
    }
  }

  @Test func `is not looked at again after a week`() async throws {
    try await withPublication { news async throws in
      news.server.xkcd.publish(upTo: 8)
      try await news.look()
      try await news.fill()
      news.server.back.time.advance(by: 8 * 86_400)
      try await news.fill()
      news.server.xkcd.set(picture: HandmadeRecord.picture(70), named: "bread_7.png")
      _ = news.server.xkcd.takePaths()
      for _ in 1...3 {
        news.server.back.time.advance(by: 86_400)
        try await news.fill()
      }
      #expect(news.server.xkcd.takePaths().filter { $0.contains("bread") || $0 == "/7/info.0.json" } == [])
    }
  }
}
