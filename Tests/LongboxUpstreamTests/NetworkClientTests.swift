// Longbox
// SPDX-License-Identifier: MIT

import Logging
import LongboxCore
import Synchronization
import TestSupport
import Testing

@testable import LongboxUpstream

/// Tests client, request policies and network together, against a server that behaves and misbehaves.
@Suite("The client over the network", .timeLimit(.minutes(10))) struct NetworkClientTests {
  private let pace = Pace(interval: .milliseconds(1), burst: 1)
  private let policy = RetryPolicy(attempts: 3, firstPause: .milliseconds(1), longestRetryAfter: .seconds(1))

  private static func number(_ value: Int) throws -> Comic.Number { try #require(Comic.Number(value)) }

  /// Runs a server that sends the n-th reply of a target's list for its n-th request, then repeats the last.
  private func withClient(
    _ scripts: [String: [[ScriptedServer.Step]]],
    _ body: @escaping @Sendable (XkcdClient, ScriptedServer) async throws -> Void
  ) async throws {
    let counts = Mutex<[String: Int]>([:])
    try await ScriptedServer.run { request in
      let steps = scripts[request.target] ?? [.reply(404, body: Array("<html>".utf8))]
      let index = counts.withLock { counts in
        counts[request.target, default: -1] += 1
        return counts[request.target, default: 0]
      }
      return steps[min(index, steps.count - 1)]
    } _: { server in
      // A busy machine must not end a test.
      let connections = HTTPConnections(connectTimeout: .seconds(300), readTimeout: .seconds(300))
      let addresses = try XkcdAddresses(site: server.base, images: server.base + "/pictures")
      let transport = Transport.live(
        over: connections,
        allowing: addresses.origins,
        userAgent: try UserAgent(version: "1", contact: nil),
        logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
      )
      let polite = SourceClient(.xkcd, over: transport, pace: pace, retry: policy)
      do {
        try await body(XkcdClient(source: polite, addresses: addresses), server)
      } catch {
        try await connections.close()
        throw error
      }
      try await connections.close()
    }
  }

  @Test func `reads the latest comic, then learns that there is no newer one`() async throws {
    try await withClient(["/info.0.json": [.reply(200, "ETag: \"a\"", body: Records.record(9)), .reply(304)]])
    { client, server in
      guard case .fresh(let record, let validator?) = try await client.latest() else {
        Issue.record("the first reply has to be fresh, with a validator")
        return
      }
      #expect(record.raw == Records.record(9))
      #expect(try await client.latest(validator: validator) == .notModified)
      #expect(server.requests.last?.head.lowercased().contains("if-none-match: \"a\"\r\n") == true)
    }
  }

  @Test(
    arguments: [
      .reply(500), .reply(503, "Retry-After: 0"), .reply(429), .reply(403), [],
      [.text("HTTP/1.1 200 X\r\nContent-Length: 500\r\n\r\n{")],
    ] as [[ScriptedServer.Step]]
  )
  func `recovers from temporary faults`(fault: [ScriptedServer.Step]) async throws {
    try await withClient(["/9/info.0.json": [fault, fault, .reply(200, body: Records.record(9))]]) {
      client,
      server in
      let record = try await client.comic(numbered: Self.number(9))
      #expect(record.number.value == 9)
      #expect(server.requests.count == 3)
    }
  }

  @Test func `reports a lasting fault after the last attempt`() async throws {
    try await withClient(["/9/info.0.json": [.reply(500), .reply(500), .reply(502)]]) { client, server in
      await #expect(throws: UpstreamError.serverError(.xkcd, status: 502, retryAfter: nil)) {
        try await client.comic(numbered: Self.number(9))
      }
      #expect(server.requests.count == 3)
    }
  }

  @Test func `sends xkcd no request of any kind during a requested pause`() async throws {
    try await withClient(["/9/info.0.json": [.reply(429, "Retry-After: 3600")]]) { client, server in
      await #expect(throws: UpstreamError.rateLimited(.xkcd, retryAfter: .seconds(3600))) {
        try await client.comic(numbered: Self.number(9))
      }
      let error = await #expect(throws: UpstreamError.self) { try await client.latest() }
      #expect(error?.retryAfter.map { $0 > .seconds(3000) } == true)
      #expect(server.requests.count == 1)
    }
  }

  @Test func `does not request again what is missing or is not a record`() async throws {
    let page = Array("<!DOCTYPE html><title>Maintenance</title>".utf8)
    try await withClient(["/9/info.0.json": [.reply(200, body: page)]]) { client, server in
      await #expect(throws: UpstreamError.malformed(.xkcd, at: "comic 9: it is an HTML page instead of JSON"))
      {
        try await client.comic(numbered: Self.number(9))
      }
      await #expect(throws: UpstreamError.notFound(.xkcd, subject: "comic 10")) {
        try await client.comic(numbered: Self.number(10))
      }
      #expect(server.requests.count == 2)
    }
  }

  @Test func `fetches a picture with an odd name from the configured address`() async throws {
    try await withClient(["/pictures/comics/%3F%3F(1).png": [.reply(200, body: Pictures.png)]]) {
      client,
      server in
      let address: Text = "https://imgs.xkcd.com/comics/%3F%3F(1).png"
      let picture = try await client.picture(at: address)
      #expect(picture == Pictures.png)
      await #expect(throws: UpstreamError.notFound(.xkcd, subject: "picture %3F%3F(1)_2x.png")) {
        try await client.picture(at: address, doubleSize: true)
      }
      #expect(
        server.requests.map(\.target) == [
          "/pictures/comics/%3F%3F(1).png", "/pictures/comics/%3F%3F(1)_2x.png",
        ]
      )
    }
  }
}
