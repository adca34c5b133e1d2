// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import PushTestSupport
import Synchronization
import Testing

@testable import LongboxPush

@Suite(.timeLimit(.minutes(10))) struct PushSenderTests {
  private let browser = FakeBrowser()

  private func sender(
    contact: String? = "me@example.org",
    trusting service: FakePushService? = nil,
    resolving resolver: HostResolver = HostResolver { _ in [] },
    time: Duration = .seconds(60),
    isAllowed: @escaping @Sendable (NetworkAddress) -> Bool = { $0.isPublic }
  ) -> PushSender {
    var limits = PushSender.Limits()
    limits.time = time
    let trusted = service.flatMap { PushEndpoint.Origin($0.origin) }.map { Set([$0]) } ?? []
    return PushSender(
      VAPIDKeys(),
      contact,
      trusted,
      resolver,
      limits,
      { Date() },
      isAllowed: isAllowed
    )
  }

  private func send(
    _ text: String = "hello",
    to service: FakePushService,
    from contact: String? = "me@example.org",
    time: Duration = .seconds(60)
  ) async throws -> DeliveryResult.Outcome {
    let sender = sender(contact: contact, trusting: service, time: time)
    let endpoint = try sender.endpoint("\(service.origin)/send/1")
    let keys = try SubscriberKeys(publicKey: browser.publicKey, secret: browser.secret)
    return try await sender.withService(at: endpoint.origin) { connections in
      await connections.send(
        Message(
          to: endpoint,
          keys,
          text: Array(text.utf8),
          timeToLive: 60,
          urgency: .high,
          topic: "comic-3"
        )
      )
    }
  }

  @Test func `sends the headers that a push service needs, and encrypts the text`() async throws {
    try await FakePushService.run { service async throws in
      #expect(try await send(to: service) == .delivered)
      let message = try #require(service.messages.first)
      #expect(message.head.hasPrefix("POST /send/1 HTTP/1.1"))
      #expect(message.field("TTL") == "60")
      #expect(message.field("Urgency") == "high")
      #expect(message.field("Topic") == "comic-3")
      #expect(message.field("Content-Encoding") == "aes128gcm")
      #expect(message.field("Authorization")?.hasPrefix("vapid t=") == true)
      #expect(try browser.text(of: message.body) == Array("hello".utf8))
    }
  }

  @Test(
    arguments: [
      ("me@example.org", "mailto:me@example.org"), ("Me <me@example.org>", "mailto:me@example.org"),
      ("https://example.org/me", "https://example.org/me"), ("me@nas.local", nil), ("me @example.org", nil),
      (nil, nil),
    ] as [(String?, String?)]
  )
  func `sends a well-formed contact, or none`(contact: String?, sent: String?) async throws {
    struct Claims: Decodable { let sub: String? }
    try await FakePushService.run { service async throws in
      #expect(try await send(to: service, from: contact) == .delivered)
      let message = try #require(service.messages.first)
      let field = try #require(message.field("Authorization"))
      let parts = field.split(separator: ".")
      let claims = Data(try #require(Base64URL.decode(String(parts[1]))))
      #expect(try JSONDecoder().decode(Claims.self, from: claims).sub == sent)
    }
  }

  @Test func `has the same length for all texts up to the padding size`() async throws {
    try await FakePushService.run { service async throws in
      for text in ["", "hello", String(repeating: "a", count: 255)] { _ = try await send(text, to: service) }
      #expect(Set(service.messages.map(\.body.count)).count == 1)
    }
  }

  /// A push service's response, and the result.
  @Test(
    arguments: [
      (200, "", .delivered), (201, "", .delivered), (202, "", .delivered), (204, "", .delivered),
      (404, "", .gone),
      (410, "", .gone),
      (
        429, "Retry-After: 120",
        .later(after: .seconds(120), reason: "The push service answered 429: why not.")
      ),
      (500, "", .later(after: nil, reason: "The push service answered 500: why not.")),
      (503, "Retry-After: soon", .later(after: nil, reason: "The push service answered 503: why not.")),
      (400, "", .rejected(reason: "The push service answered 400: why not.")),
      (401, "", .unauthorized(reason: "The push service answered 401: why not.")),
      (403, "", .unauthorized(reason: "The push service answered 403: why not.")),
      (413, "", .rejected(reason: "The push service answered 413: why not.")),
    ] as [(Int, String, DeliveryResult.Outcome)]
  )
  func `returns a result that fits the status`(status: Int, fields: String, outcome: DeliveryResult.Outcome)
    async throws
  {
    let body = status < 400 ? "" : "why not"
    try await FakePushService.run(answering: { _ in .status(status, fields, body: body) }) {
      service async throws in
      #expect(try await send(to: service) == outcome)
    }
  }

  @Test(arguments: [301, 302, 303, 307, 308])
  func `follows no redirect`(status: Int) async throws {
    try await FakePushService.run { elsewhere async throws in
      let location = "Location: \(elsewhere.origin)/secret"
      try await FakePushService.run(answering: { _ in .status(status, location) }) { service async throws in
        let reason = "The push service answered with a redirect (\(status)), which Longbox doesn’t follow."
        #expect(try await send(to: service) == .rejected(reason: reason))
        #expect(service.messages.count == 1)
      }
      #expect(elsewhere.connections == 0)
    }
  }

  @Test(arguments: [FakePushService.Reply.endless, .drip])
  func `stops reading an endless response`(answer: FakePushService.Reply) async throws {
    try await FakePushService.run(answering: { _ in answer }) { service async throws in
      switch try await send(to: service, time: .milliseconds(200)) {
      case .later(nil, let reason): #expect(reason == "The push service answered 500.")
      case .unanswered: break  // On a busy machine the headers may not have arrived in time.
      case let other: Issue.record("\(other)")
      }
    }
  }

  @Test func `stops waiting after the timeout`() async throws {
    try await FakePushService.run(answering: { _ in .silence }) { service async throws in
      let outcome = try await send(to: service, time: .milliseconds(200))
      #expect(outcome == .unanswered(reason: "The push service did not answer in time."))
    }
  }

  @Test func `can be retried if no connection is possible`() async throws {
    // Port 1 (tcpmux) is unused; a port that has just become free may belong to another test by now.
    let closed = "http://127.0.0.1:1"
    let origin = try #require(PushEndpoint.Origin(closed))
    let sender = PushSender(keys: VAPIDKeys(), trusting: [origin])
    let endpoint = try sender.endpoint("\(closed)/send/1")
    let keys = try SubscriberKeys(publicKey: browser.publicKey, secret: browser.secret)
    let outcome = try await sender.withService(at: origin) { connections in
      await connections.send(Message(to: endpoint, keys, text: [], timeToLive: 1))
    }
    guard case .unanswered = outcome else {
      Issue.record("\(outcome)")
      return
    }
  }

  /// The addresses of a host; one private address is enough to reject it.
  @Test(arguments: [
    ["127.0.0.1"], ["10.1.2.3"], ["::1"], ["fd00::1"], ["169.254.169.254"], ["::ffff:192.168.0.1"],
    ["8.8.8.8", "192.168.0.1"], ["2606:4700::1111", "fe80::1"],
  ])
  func `never connects to a host with a private address`(addresses: [String]) async throws {
    let found = addresses.compactMap { NetworkAddress($0) }
    let sender = sender(resolving: HostResolver { _ in found })
    let origin = try sender.endpoint("https://push.example.net/a").origin
    let other = try #require(found.first { !$0.isPublic })
    let rejection = EndpointRejection.privateAddress(host: "push.example.net", address: "\(other)")
    await #expect(throws: rejection) { try await sender.check(origin) }
    await #expect(throws: rejection) {
      try await sender.withService(at: origin) { _ in Issue.record("A connection was possible.") }
    }
  }

  @Test func `is rejected for an unknown host`() async throws {
    let sender = sender()
    let origin = try sender.endpoint("https://push.example.net/a").origin
    await #expect(throws: EndpointRejection.unknownHost("push.example.net")) {
      try await sender.check(origin)
    }
  }

  /// The host has a public address when it is checked, and a private one at the next lookup.
  @Test func `connects to the address that was checked, with no second lookup`() async throws {
    let looks = Mutex(0)
    let resolver = HostResolver { _ in
      let look = looks.withLock { looks in
        looks += 1
        return looks
      }
      return [NetworkAddress(bytes: look == 1 ? [127, 0, 0, 1] : [127, 0, 0, 2])]
    }
    // Here the loopback address counts as public, and 127.0.0.2 as private.
    let sender = sender(resolving: resolver) {
      $0 == NetworkAddress(bytes: [127, 0, 0, 1])
    }
    let endpoint = try sender.endpoint("https://push.example.net/a")
    let keys = try SubscriberKeys(publicKey: browser.publicKey, secret: browser.secret)
    try await sender.withService(at: endpoint.origin) { connections in
      for _ in 1...3 { _ = await connections.send(Message(to: endpoint, keys, text: [], timeToLive: 1)) }
    }
    #expect(looks.withLock { $0 } == 1)
    await #expect(throws: EndpointRejection.self) {
      try await sender.withService(at: endpoint.origin) { _ in }
    }
  }

  @Test func `stops reading endless headers`() async throws {
    let fields = (1...400).map { "X-\($0): " + String(repeating: "a", count: 400) }.joined(separator: "\r\n")
    try await FakePushService.run(answering: { _ in .status(201, fields) }) { service async throws in
      guard case .unanswered = try await send(to: service) else {
        Issue.record("It was read.")
        return
      }
    }
  }

  @Test func `tries the next address if the first connection fails`() async throws {
    try await FakePushService.run { service async throws in
      let sender = sender(trusting: service)
      let origin = try #require(PushEndpoint.Origin(service.origin))
      // The service listens on 127.0.0.1 only.
      let addresses = [2, 1].map { NetworkAddress(bytes: [127, 0, 0, $0]) }
      let endpoint = try sender.endpoint("\(service.origin)/send/1")
      let keys = try SubscriberKeys(publicKey: browser.publicKey, secret: browser.secret)
      let message = Message(to: endpoint, keys, text: [1], timeToLive: 1)
      let outcome = try await sender.withService(at: origin, through: addresses) { await $0.send(message) }
      #expect(outcome == .delivered)
    }
  }

  @Test func `tries no more than four addresses`() async throws {
    try await FakePushService.run { service async throws in
      let sender = sender(trusting: service)
      let origin = try #require(PushEndpoint.Origin(service.origin))
      let addresses = [2, 3, 4, 5, 1].map { NetworkAddress(bytes: [127, 0, 0, $0]) }
      let endpoint = try sender.endpoint("\(service.origin)/send/1")
      let keys = try SubscriberKeys(publicKey: browser.publicKey, secret: browser.secret)
      let message = Message(to: endpoint, keys, text: [1], timeToLive: 1)
      let outcome = try await sender.withService(at: origin, through: addresses) { await $0.send(message) }
      #expect(outcome != .delivered)
      #expect(service.connections == 0)
    }
  }

  @Test func `reuses few connections for many messages`() async throws {
    try await FakePushService.run { service async throws in
      let sender = sender(trusting: service)
      let keys = try SubscriberKeys(publicKey: browser.publicKey, secret: browser.secret)
      let origin = try #require(PushEndpoint.Origin(service.origin))
      try await sender.withService(at: origin) { connections in
        for number in 1...50 {
          let endpoint = try sender.endpoint("\(service.origin)/send/\(number)")
          #expect(await connections.send(Message(to: endpoint, keys, text: [1], timeToLive: 1)) == .delivered)
        }
      }
      #expect(service.messages.count == 50)
      #expect(service.connections < 10)
      #expect(Set(service.messages.map { $0.field("Authorization") }).count == 1, "One token serves a round.")
      #expect(
        Set(service.messages.map { Array($0.body.prefix(86)) }).count == 50,
        "Salt and key are each message's own."
      )
    }
  }
}

struct RetryPauseTests {
  @Test(arguments: [(1, 30.0), (2, 60), (3, 120), (10, 15_360), (11, 21_600), (50, 21_600)])
  func `doubles up to six hours`(attempts: Int, seconds: Double) {
    #expect(RetryPause.seconds(attempts: attempts, requested: nil, jitter: 0) == seconds)
    #expect(RetryPause.seconds(attempts: attempts, requested: nil, jitter: 1) == seconds * 1.5)
  }

  @Test func `is as long as the service asks, if that is longer`() {
    #expect(RetryPause.seconds(attempts: 1, requested: .seconds(300), jitter: 0) == 300)
    #expect(RetryPause.seconds(attempts: 5, requested: .seconds(10), jitter: 0) == 480)
  }

  @Test(
    arguments: [
      ("120", .seconds(120)), (" 7 ", .seconds(7)), ("0", .seconds(0)), ("999999999999", .seconds(86_400)),
      ("Fri, 15 Jan 2027 08:01:00 GMT", .seconds(60)), ("Fri, 15 Jan 2027 07:00:00 GMT", .seconds(0)),
      ("soon", nil), ("", nil), ("-5", nil), (nil, nil),
    ] as [(String?, Duration?)]
  )
  func `is parsed from Retry-After`(field: String?, pause: Duration?) {
    let now = Date(timeIntervalSince1970: 1_800_000_000)
    #expect(RetryPause.requested(field, now: now) == pause)
  }
}
