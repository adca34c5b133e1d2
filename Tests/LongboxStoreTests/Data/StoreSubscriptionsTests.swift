// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore
import Testing
import TestSupport

@testable import LongboxStore

@Suite("Push subscriptions") struct StoreSubscriptionsTests {
  private let folder = TemporaryFolder()
  private let noon = Date(timeIntervalSince1970: 1_800_000_000)

  private func number(_ value: Int) throws -> Comic.Number { try #require(Comic.Number(value)) }

  private func new(
    _ name: String,
    at service: String = "https://push.example.net",
    preferences: PushPreferences? = nil,
    replaces: String? = nil
  ) -> NewSubscription {
    NewSubscription(
      endpoint: "\(service)/\(name)",
      service: service,
      publicKey: [UInt8](repeating: 4, count: 65),
      secret: [UInt8](repeating: 5, count: 16),
      preferences: preferences,
      replaces: replaces
    )
  }

  private func save(
    _ new: NewSubscription,
    in store: Store,
    knowing newest: Int? = 10,
    confirms: Bool = true
  ) async throws -> StoredSubscription {
    let newest = try newest.map { try number($0) }
    let stored = try #require(try await store.subscriptions.save(new, newest: newest, at: noon))
    if confirms, !stored.isConfirmed { try await store.subscriptions.confirm(stored) }
    return stored
  }

  private func due(_ store: Store, upTo newest: Int, at date: Date? = nil) async throws -> [String] {
    try await store.announcements.subscriptionsToNotify(
      at: "https://push.example.net",
      upTo: number(newest),
      at: date ?? noon,
      limit: 10
    ).map { $0.endpoint.split(separator: "/").last?.description ?? "" }
  }

  @Test func `are kept unchanged across a restart`() async throws {
    let store = try Store.open(folder.url)
    let preferences = PushPreferences(
      hidesSpoilers: true,
      quietHours: QuietHours(from: 1320, until: 420),
      timeZone: "Europe/Berlin"
    )
    let saved = try await save(new("a", preferences: preferences), in: store)
    let copy = try folder.copy()
    let kept = try #require(try await Store.open(copy.url).subscriptions.all().first)
    #expect(kept.id == saved.id)
    #expect(kept.endpoint == "https://push.example.net/a")
    #expect(
      kept.publicKey == [UInt8](repeating: 4, count: 65) && kept.secret == [UInt8](repeating: 5, count: 16)
    )
    #expect(kept.preferences == preferences)
    #expect(kept.announced?.value == 10)
    #expect(kept.createdAt == noon && kept.failure == nil && kept.attempts == 0)
  }

  @Test(arguments: Engine.tested)
  func `keep their preferences and progress when saved again`(engine: Engine) async throws {
    let store = try await engine.open(folder.url)
    let first = try await save(new("a", preferences: PushPreferences(hidesSpoilers: true)), in: store)
    let again = try await save(new("a"), in: store, knowing: 99)
    #expect(again.id == first.id && again.preferences.hidesSpoilers && again.announced?.value == 10)
    let changed = try await save(new("a", preferences: PushPreferences(timeZone: "Asia/Tokyo")), in: store)
    #expect(!changed.preferences.hidesSpoilers && changed.preferences.timeZone == "Asia/Tokyo")
    #expect(try await store.subscriptions.all().count == 1)
  }

  @Test(arguments: Engine.tested)
  func `keep their progress under another endpoint`(engine: Engine) async throws {
    let store = try await engine.open(folder.url)
    let first = try await save(new("a", preferences: PushPreferences(hidesSpoilers: true)), in: store)
    let moved = try await save(new("b", replaces: "https://push.example.net/a"), in: store, knowing: 99)
    #expect(moved.id == first.id && moved.announced?.value == 10 && moved.preferences.hidesSpoilers)
    #expect(try await store.subscriptions.all().map(\.endpoint) == ["https://push.example.net/b"])
    _ = try await save(new("c"), in: store)
    let merged = try await save(new("c", replaces: "https://push.example.net/b"), in: store)
    #expect(
      try await store.subscriptions.all().map(\.id) == [merged.id],
      "c was known by itself, and b is gone."
    )
    let unknown = try await save(new("d", replaces: "https://push.example.net/z"), in: store, knowing: 12)
    #expect(unknown.announced?.value == 12)
  }

  @Test(arguments: Engine.tested)
  func `are due once for each new comic`(engine: Engine) async throws {
    let store = try await engine.open(folder.url)
    let one = try await save(new("a"), in: store)
    #expect(try await due(store, upTo: 10) == [])
    #expect(try await due(store, upTo: 11) == ["a"])
    #expect(
      try await store.announcements.servicesToNotify(upTo: number(11), at: noon) == [
        "https://push.example.net"
      ]
    )
    #expect(try await store.announcements.claim([(one.id, number(11))]) == [one.id])
    #expect(try await due(store, upTo: 11) == [], "It is on its way.")
    try await store.announcements.update([SubscriptionUpdate(one.id, .announced(number(11)))], at: noon)
    #expect(try await due(store, upTo: 11) == [])
    #expect(try await store.announcements.nextNotification(upTo: number(11), at: noon) == nil)
    #expect(try await due(store, upTo: 12) == ["a"])
  }

  @Test(arguments: Engine.tested)
  func `are due only once they are confirmed`(engine: Engine) async throws {
    let store = try await engine.open(folder.url)
    let one = try await save(new("a"), in: store, confirms: false)
    #expect(!one.isConfirmed)
    #expect(try await due(store, upTo: 11) == [])
    #expect(try await store.announcements.servicesToNotify(upTo: number(11), at: noon).isEmpty)
    #expect(try await store.announcements.nextNotification(upTo: number(11), at: noon) == nil)
    #expect(try await store.announcements.leastAnnounced() == nil)
    #expect(try await store.subscriptions.unconfirmed(at: noon, limit: 9).map(\.id) == [one.id])
    try await store.subscriptions.confirm(one)
    #expect(try await store.subscriptions.unconfirmed(at: noon, limit: 9).isEmpty)
    #expect(try await store.subscriptions.all().first?.isConfirmed == true)
    #expect(try await due(store, upTo: 11) == ["a"])
  }

  @Test(arguments: Engine.tested)
  func `that are not confirmed are tried at their time, and removed after a day`(engine: Engine) async throws
  {
    let store = try await engine.open(folder.url)
    let (one, two) = (
      try await save(new("a"), in: store, confirms: false),
      try await save(new("b"), in: store, confirms: false)
    )
    let kept = try await save(new("c"), in: store)
    let later = noon.addingTimeInterval(60)
    try await store.subscriptions.postponeConfirmation(of: one, until: later, reason: "500", at: noon)
    #expect(try await store.subscriptions.unconfirmed(at: noon, limit: 9).map(\.id) == [two.id])
    #expect(try await store.subscriptions.unconfirmed(at: later, limit: 9).map(\.id) == [two.id, one.id])
    #expect(try await store.subscriptions.all().first?.failure == "500")
    #expect(try await store.subscriptions.removeUnconfirmed(createdUntil: noon.addingTimeInterval(-1)) == 0)
    #expect(
      try await store.subscriptions.removeUnconfirmed(createdUntil: noon) == 1,
      "The other one was not tried."
    )
    try await store.subscriptions.removeUnconfirmed(two)
    try await store.subscriptions.removeUnconfirmed(kept)
    #expect(try await store.subscriptions.all().map(\.id) == [kept.id])
  }

  @Test func `are due again when their message was being sent at a kill`() async throws {
    let store = try Store.open(folder.url)
    let one = try await save(new("a"), in: store)
    _ = try await store.announcements.claim([(one.id, number(11))])
    let copy = try folder.copy()
    let after = try Store.open(copy.url)
    #expect(try await due(after, upTo: 11) == [])
    try await after.announcements.resume()
    #expect(try await due(after, upTo: 11) == ["a"])
    #expect(try await after.subscriptions.all().first?.attempts == 1, "The try counts.")
  }

  @Test(arguments: Engine.tested)
  func `wait until the given time`(engine: Engine) async throws {
    let store = try await engine.open(folder.url)
    let one = try await save(new("a"), in: store)
    let later = noon.addingTimeInterval(600)
    _ = try await store.announcements.claim([(one.id, number(11))])
    try await store.announcements.update(
      [SubscriptionUpdate(one.id, .later(later, reason: "It is busy."))],
      at: noon
    )
    #expect(try await due(store, upTo: 11, at: later.addingTimeInterval(-1)) == [])
    #expect(try await due(store, upTo: 11, at: later) == ["a"])
    #expect(try await store.announcements.nextNotification(upTo: number(11), at: noon) == later)
    let failed = try #require(try await store.subscriptions.all().first)
    #expect(failed.failure == "It is busy." && failed.failedAt == noon && failed.attempts == 1)
    _ = try await store.announcements.claim([(one.id, number(11))])
    try await store.announcements.update([SubscriptionUpdate(one.id, .announced(number(11)))], at: later)
    let notified = try #require(try await store.subscriptions.all().first)
    #expect(notified.failure == nil && notified.attempts == 0 && notified.nextTry == nil)
  }

  @Test(arguments: Engine.tested)
  func `don't wait for a time that was stored while the clock was ahead`(engine: Engine) async throws {
    let store = try await engine.open(folder.url)
    let (one, two) = (try await save(new("a"), in: store), try await save(new("b"), in: store))
    let new = try await save(new("c"), in: store, confirms: false)
    let longest = noon.addingTimeInterval(TimeInterval(StoredPause.notification.longest))
    let ahead = noon.addingTimeInterval(365 * 24 * 3600)
    try await store.announcements.update(
      [
        SubscriptionUpdate(one.id, .later(ahead, reason: "500")),
        SubscriptionUpdate(two.id, .later(longest, reason: "500")),
      ],
      at: ahead
    )
    try await store.subscriptions.postponeConfirmation(of: new, until: ahead, reason: "500", at: ahead)
    #expect(try await due(store, upTo: 11) == ["a"])
    #expect(try await store.announcements.servicesToNotify(upTo: number(11), at: noon) == [one.service])
    #expect(try await store.subscriptions.unconfirmed(at: noon, limit: 9).map(\.id) == [new.id])
    let next = try #require(try await store.announcements.nextNotification(upTo: number(11), at: noon))
    #expect(next <= noon)
    let later = noon.addingTimeInterval(300)
    try await store.announcements.postpone(
      one.service,
      until: later,
      reason: "Silence.",
      upTo: number(11),
      at: noon
    )
    #expect(try await due(store, upTo: 11) == [], "It was put off like the others of its service.")
    #expect(try await due(store, upTo: 11, at: later) == ["a"])
    #expect(try await store.announcements.nextNotification(upTo: number(11), at: noon) == later)
  }

  @Test(arguments: Engine.tested)
  func `can be given up for one comic, or removed for good`(engine: Engine) async throws {
    let store = try await engine.open(folder.url)
    let (one, two) = (try await save(new("a"), in: store), try await save(new("b"), in: store))
    try await store.announcements.update(
      [SubscriptionUpdate(one.id, .givenUp(number(11), reason: "403")), SubscriptionUpdate(two.id, .gone)],
      at: noon
    )
    #expect(try await due(store, upTo: 11) == [])
    #expect(try await due(store, upTo: 12) == ["a"])
    #expect(
      try await store.announcements.claim([(two.id, number(12))]) == [],
      "A removed subscription gets nothing more."
    )
  }

  @Test(arguments: Engine.tested)
  func `start with the first known comic`(engine: Engine) async throws {
    let store = try await engine.open(folder.url)
    _ = try await save(new("a"), in: store, knowing: nil)
    #expect(try await due(store, upTo: 11) == [])
    try await store.announcements.begin(after: number(11))
    #expect(try await due(store, upTo: 11) == [])
    #expect(try await due(store, upTo: 12) == ["a"])
    #expect(try await store.announcements.leastAnnounced() == 11)
  }

  @Test(arguments: Engine.tested)
  func `are put off together by service, and services are in order of age`(engine: Engine) async throws {
    let store = try await engine.open(folder.url)
    for name in ["a", "b"] { _ = try await save(new(name), in: store) }
    _ = try await save(new("c", at: "https://a.example.net"), in: store)
    let services = ["https://push.example.net", "https://a.example.net"]
    #expect(try await store.announcements.servicesToNotify(upTo: number(11), at: noon) == services)
    let later = noon.addingTimeInterval(60)
    try await store.announcements.postpone(
      services[0],
      until: later,
      reason: "Silence.",
      upTo: number(11),
      at: noon
    )
    #expect(try await store.announcements.servicesToNotify(upTo: number(11), at: noon) == [services[1]])
    #expect(try await store.announcements.servicesToNotify(upTo: number(11), at: later).count == 2)
  }

  @Test(arguments: Engine.tested)
  func `that failed come after those without failures`(engine: Engine) async throws {
    let store = try await engine.open(folder.url)
    let one = try await save(new("a"), in: store)
    _ = try await save(new("b", at: "https://a.example.net"), in: store)
    try await store.announcements.update([SubscriptionUpdate(one.id, .later(noon, reason: "500"))], at: noon)
    let services = try await store.announcements.servicesToNotify(upTo: number(11), at: noon)
    #expect(services == ["https://a.example.net", "https://push.example.net"])
  }

  @Test(arguments: Engine.tested)
  func `with an earlier retry are put off, too`(engine: Engine) async throws {
    let store = try await engine.open(folder.url)
    let one = try await save(new("a"), in: store)
    try await store.announcements.update(
      [SubscriptionUpdate(one.id, .later(noon.addingTimeInterval(30), reason: "500"))],
      at: noon
    )
    let later = noon.addingTimeInterval(300)
    try await store.announcements.postpone(
      one.service,
      until: later,
      reason: "Silence.",
      upTo: number(11),
      at: noon
    )
    #expect(try await store.subscriptions.all().first?.nextTry == later)
  }

  @Test(arguments: Engine.tested)
  func `count no attempt for an unsent message`(engine: Engine) async throws {
    let store = try await engine.open(folder.url)
    let one = try await save(new("a"), in: store)
    _ = try await store.announcements.claim([(one.id, number(11))])
    try await store.announcements.update([SubscriptionUpdate(one.id, .unsent)], at: noon)
    #expect(try await store.subscriptions.all().first?.attempts == 0)
    #expect(try await due(store, upTo: 11) == ["a"])
  }

  @Test(arguments: Engine.tested)
  func `are not removed by the reply of an old endpoint`(engine: Engine) async throws {
    let store = try await engine.open(folder.url)
    let old = try await save(new("a"), in: store)
    _ = try await store.announcements.claim([(old.id, number(11))])
    let moved = try await save(new("b", replaces: old.endpoint), in: store)
    #expect(moved.id == old.id && moved.attempts == 0)
    try await store.announcements.update([SubscriptionUpdate(old.id, .gone, at: old.endpoint)], at: noon)
    #expect(try await due(store, upTo: 11) == ["b"])
    try await store.announcements.update([SubscriptionUpdate(moved.id, .gone, at: moved.endpoint)], at: noon)
    #expect(try await store.subscriptions.all().isEmpty)
  }

  @Test(arguments: Engine.tested)
  func `are still due at a new endpoint when the old one has accepted the message`(engine: Engine)
    async throws
  {
    let store = try await engine.open(folder.url)
    let (old, other) = (try await save(new("a"), in: store), try await save(new("other"), in: store))
    _ = try await store.announcements.claim([(old.id, number(11)), (other.id, number(11))])
    let moved = try await save(new("b", replaces: old.endpoint), in: store)
    try await store.announcements.update(
      [old, other].map { SubscriptionUpdate($0.id, .announced(try number(11)), at: $0.endpoint) },
      at: noon
    )
    #expect(try await due(store, upTo: 11) == ["b"])
    _ = try await store.announcements.claim([(moved.id, number(11))])
    let accepted = SubscriptionUpdate(moved.id, .announced(try number(11)), at: moved.endpoint)
    try await store.announcements.update([accepted], at: noon)
    #expect(try await due(store, upTo: 11) == [])
  }

  @Test(arguments: Engine.tested)
  func `are removed once ten comics in a row were given up`(engine: Engine) async throws {
    let store = try await engine.open(folder.url)
    let one = try await save(new("a"), in: store)
    func giveUp(_ comic: Int) async throws {
      try await store.announcements.update(
        [SubscriptionUpdate(one.id, .givenUp(number(comic), reason: "403"))],
        at: noon
      )
    }
    for comic in 11...19 { try await giveUp(comic) }
    try await store.announcements.update([SubscriptionUpdate(one.id, .announced(number(20)))], at: noon)
    for comic in 21...29 { try await giveUp(comic) }
    #expect(try await store.subscriptions.all().count == 1, "A notified one stays.")
    try await giveUp(30)
    #expect(try await store.subscriptions.all().isEmpty)
  }

  @Test(arguments: Engine.tested)
  func `are given up where their service may not be reached`(engine: Engine) async throws {
    let store = try await engine.open(folder.url)
    let one = try await save(new("a"), in: store)
    func refuse() async throws {
      try await store.announcements.reject(
        one.service,
        atMost: 3,
        reason: "Private.",
        upTo: number(11),
        at: noon
      )
    }
    for _ in 1...2 { try await refuse() }
    #expect(try await due(store, upTo: 11) == ["a"])
    try await refuse()
    #expect(try await due(store, upTo: 11) == [])
    #expect(try await due(store, upTo: 12) == ["a"])
  }

  @Test(arguments: Engine.tested)
  func `can be removed`(engine: Engine) async throws {
    let store = try await engine.open(folder.url)
    let one = try await save(new("a"), in: store)
    #expect(try await store.subscriptions.remove(one.id))
    #expect(try await !store.subscriptions.remove(endpoint: one.endpoint))
    let two = try await save(new("a"), in: store)
    #expect(two.id != one.id, "A number is never given to another.")
    #expect(try await store.subscriptions.remove(endpoint: two.endpoint))
    #expect(try await store.subscriptions.all().isEmpty)
  }
}

@Suite("Quiet hours") struct QuietHoursTests {
  @Test(arguments: [(0, 1439), (1320, 420), (1439, 0)])
  func `accept two different times of a day`(from: Int, until: Int) {
    #expect(QuietHours(from: from, until: until)?.from == from)
  }

  @Test(arguments: [(-1, 60), (0, 1440), (1440, 0), (60, 60)])
  func `reject anything else`(from: Int, until: Int) {
    #expect(QuietHours(from: from, until: until) == nil)
  }
}
