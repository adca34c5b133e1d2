// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import LongboxCatalog
import LongboxCore
import LongboxPush
import LongboxReaders
import LongboxStore
import NIOCore
import PushTestSupport
import TestSupport
import Testing

@testable import LongboxServer

@Suite("A subscription to new comics") struct PushSubscriptionTests {
  private let browser = FakeBrowser()

  private struct Reply: Decodable {
    let wishes: SubscriptionForm.Preferences
    let isConfirmed: Bool
  }

  /// Runs a test with a server that sends notifications or not, and a push service.
  private func withServer(
    sends: Bool = true,
    perHour: Int = 60,
    logger: Logger = .silent,
    answering answer: @escaping @Sendable (FakePushService.Message) -> FakePushService.Reply = { _ in
      .status(201)
    },
    _ body: @Sendable (CatalogBench, any TestClientProtocol, FakePushService) async throws -> Void
  ) async throws {
    try await FakePushService.run(answering: answer) { service async throws in
      try await withServer(sends: sends, perHour: perHour, logger: logger, service: service, body)
    }
  }

  private func withServer(
    sends: Bool,
    perHour: Int,
    logger: Logger,
    service: FakePushService,
    _ body: @Sendable (CatalogBench, any TestClientProtocol, FakePushService) async throws -> Void
  ) async throws {
    try await withCatalog(FakeXkcd(latest: 6)) { bench async throws in
      await bench.catalog.prepare()
      var settings = ServerSettings()
      settings.limits.storage.newSubscriptionsPerHour = perHour
      if sends {
        let trusted = try #require(PushEndpoint.Origin(service.origin))
        settings.push = PushSender(
          keys: try VAPIDKeys.loadOrCreate(in: bench.folder.url),
          trusting: [trusted]
        )
      }
      let dispatcher = ServerControllers(of: bench, settings: settings, logger: logger).endpoints.dispatcher
      try await Application(router: dispatcher, logger: .silent).test(.router) { client in
        try await body(bench, client, service)
      }
    }
  }

  private func send(
    _ body: String,
    _ method: HTTPRequest.Method = .post,
    to client: any TestClientProtocol,
    _ headers: HTTPFields = [.origin: "http://localhost", .contentType: "application/json"]
  ) async throws -> TestResponse {
    try await client.executeRequest(
      uri: "/api/push/subscriptions",
      method: method,
      headers: headers,
      body: ByteBuffer(string: body)
    )
  }

  private func subscription(_ endpoint: String, key: [UInt8]? = nil, more: String = "") -> String {
    let (key, secret) = (Base64URL.encode(key ?? browser.publicKey), Base64URL.encode(browser.secret))
    return
      #"{"endpoint":"\#(endpoint)","expirationTime":null,"keys":{"p256dh":"\#(key)","auth":"\#(secret)"}\#(more)}"#
  }

  @Test func `starts with the server's key`() async throws {
    try await withServer { bench, client, service async throws in
      let answer = try await client.executeRequest(
        uri: "/api/push/key",
        method: .get,
        headers: [:],
        body: nil
      )
      let key = try JSONDecoder().decode([String: String].self, from: Data(answer.bytes))["publicKey"]
      #expect(try key == VAPIDKeys.stored(in: bench.folder.url)?.publicKey)
      #expect(answer.headers[.accessControlAllowOrigin] == nil, "It is for our own pages.")
    }
  }

  @Test func `is stored with its settings, which are returned`() async throws {
    try await withServer { bench, client, service async throws in
      let preferences =
        #","wishes":{"hidesSpoilers":true,"quietHours":{"from":"22:00","until":"07:30"},"timeZone":"Europe/Paris"}"#
      let answer = try await send(subscription("\(service.origin)/a", more: preferences), to: client)
      #expect(answer.status == .created)
      let kept = try #require(try await bench.store.subscriptions.all().first)
      #expect(kept.endpoint == "\(service.origin)/a" && kept.service == service.origin)
      #expect(kept.publicKey == browser.publicKey && kept.announced?.value == 6)
      #expect(kept.isConfirmed && service.messages.count == 1)
      let again = try await send(subscription("\(service.origin)/a"), to: client)
      let stored = try JSONDecoder().decode(Reply.self, from: Data(again.bytes)).wishes
      #expect(
        stored
          == .init(
            hidesSpoilers: true,
            quietHours: .init(from: "22:00", until: "07:30"),
            timeZone: "Europe/Paris"
          )
      )
      let moved = try await send(
        subscription("\(service.origin)/b", more: #","replaces":"\#(service.origin)/a""#),
        to: client
      )
      #expect(moved.status == .created)
      #expect(try await bench.store.subscriptions.all().map(\.endpoint) == ["\(service.origin)/b"])
    }
  }

  @Test func `is rejected if its address has made too many, which is logged once a minute`() async throws {
    let recorder = LogRecorder()
    try await withServer(perHour: 1, logger: recorder.logger) { bench, client, service async throws in
      #expect(try await send(subscription("\(service.origin)/a"), to: client).status == .created)
      #expect(recorder.count(of: .newSubscriptions) == 0)
      for name in ["b", "c"] {
        let answer = try await send(subscription("\(service.origin)/\(name)"), to: client)
        #expect(answer.status == .tooManyRequests && answer.headers[.retryAfter] != nil)
        #expect(recorder.count(of: .newSubscriptions) == 1)
      }
      #expect(try await bench.store.subscriptions.all().count == 1)
    }
  }

  @Test func `is counted for its own address alone`() async throws {
    try await withServer(perHour: 3) { bench, client, service async throws in
      func subscribe(_ name: String, from address: String) async throws -> TestResponse {
        // The server's own field for the client of a request that a proxy passed on.
        let headers: HTTPFields = [
          .origin: "http://localhost", .contentType: "application/json", .named("Longbox-Client"): address,
        ]
        return try await send(subscription("\(service.origin)/\(name)"), to: client, headers)
      }
      for name in ["a", "b", "c"] {
        #expect(try await subscribe(name, from: "203.0.113.1").status == .created)
      }
      let fourth = try await subscribe("d", from: "203.0.113.1")
      #expect(fourth.status == .tooManyRequests && fourth.headers[.retryAfter] == "1200")
      #expect(try await bench.store.subscriptions.all().count == 3)
      #expect(try await subscribe("e", from: "203.0.113.2").status == .created)
    }
  }

  @Test func `is rejected if its push service rejects the first message`() async throws {
    try await withServer(answering: { _ in .status(410) }) { bench, client, service async throws in
      let answer = try await send(subscription("\(service.origin)/a"), to: client)
      #expect(answer.status == .badRequest && answer.text.contains("push service doesn’t take messages"))
      #expect(try await bench.store.subscriptions.all().isEmpty)
    }
  }

  @Test func `waits for a push service that is down, and says so`() async throws {
    try await withServer(answering: { _ in .status(503) }) { bench, client, service async throws in
      let answer = try await send(subscription("\(service.origin)/a"), to: client)
      #expect(answer.status == .created)
      #expect(try JSONDecoder().decode(Reply.self, from: Data(answer.bytes)).isConfirmed == false)
      #expect(try await bench.store.subscriptions.all().map(\.isConfirmed) == [false])
    }
  }

  @Test func `ends at the reader's request`() async throws {
    try await withServer { bench, client, service async throws in
      _ = try await send(subscription("\(service.origin)/a"), to: client)
      for _ in 1...2 {
        let answer = try await send(#"{"endpoint":"\#(service.origin)/a"}"#, .delete, to: client)
        #expect(answer.status == .noContent)
      }
      #expect(try await bench.store.subscriptions.all().isEmpty)
    }
  }

  /// The endpoint or body, the status, and a part of the error message.
  @Test(arguments: [
    ("", 400, "docs/push.md"), ("{}", 400, "docs/push.md"), ("[1]", 400, "docs/push.md"),
    ("http://push.example.net/a", 400, "https"), ("https://127.0.0.1/a", 400, "127.0.0.1"),
    ("https://localhost/a", 400, "localhost"), ("https://user@a.example.net/a", 400, "password"),
    ("https://a.example.net:22/a", 400, "22"), ("https://[::1]/a", 400, "[::1]"),
    ("http://10.0.0.7:8081/a", 400, "https"),
  ])
  func `is rejected for an invalid endpoint`(text: String, status: Int, mark: String) async throws {
    try await withServer { bench, client, service async throws in
      let body = text.contains("://") ? subscription(text) : text
      let answer = try await send(body, to: client)
      #expect(answer.status.code == status)
      #expect(answer.text.contains(mark), "\(answer.text)")
      #expect(try await bench.store.subscriptions.all().isEmpty)
    }
  }

  @Test(arguments: [
    (#","wishes":{"hidesSpoilers":false,"timeZone":"Mars/Olympus"}"#, "time zone"),
    (#","wishes":{"hidesSpoilers":false,"timeZone":"UTC","quietHours":{"from":"7","until":"8"}}"#, "22:00"),
    (
      #","wishes":{"hidesSpoilers":false,"timeZone":"UTC","quietHours":{"from":"07:00","until":"07:00"}}"#,
      "22:00"
    ),
    (#","wishes":{"timeZone":"UTC"}"#, "docs/push.md"),
  ])
  func `is rejected for invalid settings`(preferences: String, mark: String) async throws {
    try await withServer { bench, client, service async throws in
      let answer = try await send(subscription("\(service.origin)/a", more: preferences), to: client)
      #expect(answer.status == .badRequest)
      #expect(answer.text.contains(mark), "\(answer.text)")
    }
  }

  @Test func `is rejected for invalid keys`() async throws {
    try await withServer { bench, client, service async throws in
      let answer = try await send(subscription("\(service.origin)/a", key: [1, 2, 3]), to: client)
      #expect(answer.status == .badRequest)
      #expect(answer.text.contains("p256dh"))
    }
  }

  @Test(
    arguments: [
      ([.origin: "https://evil.example", .contentType: "application/json"], 403),
      ([.contentType: "application/json"], 403),
      ([.origin: "http://localhost", .contentType: "text/plain"], 415), ([.origin: "http://localhost"], 415),
    ] as [(HTTPFields, Int)]
  )
  func `is rejected from other sites`(headers: HTTPFields, status: Int) async throws {
    try await withServer { bench, client, service async throws in
      for method in [HTTPRequest.Method.post, .delete] {
        let answer = try await send(subscription("\(service.origin)/a"), method, to: client, headers)
        #expect(answer.status.code == status)
      }
      #expect(try await bench.store.subscriptions.all().isEmpty)
    }
  }

  @Test func `rejects long bodies and other methods`() async throws {
    try await withServer { bench, client, service async throws in
      let long = subscription("\(service.origin)/a", more: #","x":"\#(String(repeating: "x", count: 9000))""#)
      #expect(try await send(long, to: client).status == .contentTooLarge)
      let asked = try await client.executeRequest(
        uri: "/api/push/subscriptions",
        method: .get,
        headers: [:],
        body: nil
      )
      #expect(asked.status == .methodNotAllowed)
      #expect(asked.headers[.allow] == "POST, DELETE")
      let page = try await client.executeRequest(uri: "/settings", method: .delete, headers: [:], body: nil)
      #expect(page.status == .methodNotAllowed)
    }
  }

  @Test func `is not found if the server sends no notifications`() async throws {
    try await withServer(sends: false) { bench, client, service async throws in
      let key = try await client.executeRequest(uri: "/api/push/key", method: .get, headers: [:], body: nil)
      #expect(key.status == .notFound)
      #expect(try await send(subscription("\(service.origin)/a"), to: client).status == .notFound)
    }
  }
}
