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

@Suite(.timeLimit(.minutes(10))) struct `A new subscription` {
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

  @Test(arguments: [404, 410, 400, 403])
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
