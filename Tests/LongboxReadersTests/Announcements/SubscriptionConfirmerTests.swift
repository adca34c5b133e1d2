// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import Foundation
import LongboxCore
import LongboxPush
import LongboxStore
import PushTestSupport
import Synchronization
import Testing
import TestSupport

@testable import LongboxReaders

@Suite("A new subscription", .timeLimit(.minutes(10))) struct SubscriptionConfirmerTests {
  private let folder = TemporaryFolder()
  private let browser = FakeBrowser()
  private let time = SettableTime()

  /// A store with one subscription at a push service, and its confirmer.
  private func withService(
    answering answer: @escaping @Sendable (FakePushService.Message) -> FakePushService.Reply,
    _ body: @Sendable (FakePushService, Store, SubscriptionConfirmer, StoredSubscription) async throws -> Void
  ) async throws {
    try await FakePushService.run(answering: answer) { service async throws in
      let store = try Store.open(folder.url)
      let trusted = try #require(PushEndpoint.Origin(service.origin))
      let sender = PushSender(keys: try VAPIDKeys.loadOrCreate(in: folder.url), trusting: [trusted])
      let confirmer = SubscriptionConfirmer(store: store, sender: sender, logger: .silent, now: { time.now })
      let new = NewSubscription(
        endpoint: "\(service.origin)/a",
        service: service.origin,
        publicKey: browser.publicKey,
        secret: browser.secret
      )
      let stored = try await store.subscriptions.save(new, newest: .first, at: time.now)
      try await body(service, store, confirmer, try #require(stored))
    }
  }

  @Test func `gets one message, and is good once the push service accepts it`() async throws {
    try await withService(answering: { _ in .status(201) }) {
      service,
      store,
      confirmer,
      stored async throws in
      #expect(try await confirmer.confirm(stored, within: .seconds(60)) == .confirmed)
      #expect(try await store.subscriptions.all().map(\.isConfirmed) == [true])
      let text = String(
        decoding: try browser.text(of: try #require(service.messages.first).body),
        as: UTF8.self
      )
      #expect(text == #"{"confirms":true}"#)
      try await confirmer.pass()
      #expect(service.messages.count == 1)
    }
  }

  @Test(arguments: [404, 410, 400, 401, 403])
  func `is removed if the push service rejects it`(status: Int) async throws {
    try await withService(answering: { _ in .status(status) }) { _, store, confirmer, stored async throws in
      guard case .rejected = try await confirmer.confirm(stored, within: .seconds(60)) else {
        Issue.record("It is not rejected.")
        return
      }
      #expect(try await store.subscriptions.all().isEmpty)
    }
  }

  @Test func `is tried again, and removed after a day`() async throws {
    try await withService(answering: { _ in .status(500) }) {
      service,
      store,
      confirmer,
      stored async throws in
      #expect(try await confirmer.confirm(stored, within: .seconds(60)) == .waiting)
      try await confirmer.pass()
      #expect(service.messages.count == 1, "Not before its pause is over.")
      for hour in 1...23 {
        time.advance(by: 3600)
        try await confirmer.pass()
        #expect(try await store.subscriptions.all().count == 1, "after \(hour) hours")
      }
      #expect((5...12).contains(service.messages.count))
      time.advance(by: 3600)
      try await confirmer.pass()
      #expect(try await store.subscriptions.all().isEmpty)
    }
  }

  @Test func `is confirmed later if its push service recovers`() async throws {
    let isDown = Mutex(true)
    let answer: @Sendable (FakePushService.Message) -> FakePushService.Reply = { _ in
      isDown.withLock { $0 } ? .status(503) : .status(201)
    }
    try await withService(answering: answer) { _, store, confirmer, stored async throws in
      #expect(try await confirmer.confirm(stored, within: .seconds(60)) == .waiting)
      isDown.withLock { $0 = false }
      time.advance(by: 3600)
      try await confirmer.pass()
      #expect(try await store.subscriptions.all().map(\.isConfirmed) == [true])
    }
  }

  @Test func `that was interrupted goes on if the old key comes back`() async throws {
    let rejects = Mutex(true)
    let answer: @Sendable (FakePushService.Message) -> FakePushService.Reply = { _ in
      rejects.withLock { $0 } ? .status(403) : .status(201)
    }
    try await withService(answering: answer) { service, store, confirmer, stored async throws in
      try await interrupt(stored, in: store)
      let interrupted = try #require(try await store.subscriptions.all().first)
      try await confirmer.pass()
      #expect(service.messages.isEmpty, "Not before its pause is over.")
      // A reader may ask at any time, which doesn't count.
      for _ in 1...20 {
        #expect(try await confirmer.confirm(interrupted, within: .seconds(60)) == .interrupted)
      }
      for _ in 1...5 {
        time.advance(by: SubscriptionConfirmer.interruptionPause)
        try await confirmer.pass()
        #expect(try await store.subscriptions.all().map(\.isInterrupted) == [true])
      }
      rejects.withLock { $0 = false }
      time.advance(by: SubscriptionConfirmer.interruptionPause)
      try await confirmer.pass()
      #expect(try await store.subscriptions.all().map(\.isConfirmed) == [true])
    }
  }

  @Test func `that was interrupted is removed in the end`() async throws {
    try await withService(answering: { _ in .status(401) }) {
      service,
      store,
      confirmer,
      stored async throws in
      try await interrupt(stored, in: store)
      for _ in 1...12 {
        time.advance(by: SubscriptionConfirmer.interruptionPause)
        try await confirmer.pass()
      }
      #expect(try await store.subscriptions.all().isEmpty)
      #expect(service.messages.count == 9, "the comic that it missed was the first of ten")
    }
  }

  /// Does what an announcement does that the push service answers with 401.
  private func interrupt(_ stored: StoredSubscription, in store: Store) async throws {
    try await store.subscriptions.confirm(stored)
    let next = time.now.addingTimeInterval(SubscriptionConfirmer.interruptionPause)
    let change = SubscriptionUpdate.Change.interrupted(until: next, reason: "The push service answered 401.")
    try await store.announcements.update([SubscriptionUpdate(stored.id, change)], at: time.now)
  }

  @Test func `is not waited for if its push service hangs`() async throws {
    try await withService(answering: { _ in .silence }) { service, store, confirmer, stored async throws in
      #expect(try await confirmer.confirm(stored, within: .milliseconds(50)) == .waiting)
      await eventually { service.messages.count == 1 }
      // The same message is not sent twice at a time.
      #expect(try await confirmer.confirm(stored, within: .seconds(60)) == .waiting)
      #expect(service.messages.count == 1)
      #expect(try await store.subscriptions.all().map(\.isConfirmed) == [false])
    }
  }
}
