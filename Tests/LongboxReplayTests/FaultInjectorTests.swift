// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing
import TestSupport

@testable import longbox_replay

/// Each fault, as a client receives it.
@Suite struct FaultInjectorTests {
  private static let record = Fixture.records[859] ?? ""
  private static let path = "/859/info.0.json"

  /// Sends one GET while a fault is active, and checks the response.
  private func meet(
    _ fault: String,
    limit: Int = .max,
    _ check: @Sendable (RawResponse, ReplayServer) async throws -> Void
  ) async throws {
    try await withReplay(over: .live) { server async throws in
      let port = try #require(server.client.port)
      #expect(try await server.send(.post, "/_replay/faults", fault).status == .created)
      let response = try await RawExchange.get(Self.path, port: port, limit: limit)
      #expect(server.replayed.plan.entries.map(\.uses) == [1])
      try await check(response, server)
    }
  }

  @Test(arguments: [(nil, Self.record.utf8.count / 2), (0, 0), (10, 10), (100_000, Self.record.utf8.count)])
  func `cuts the body and closes the connection`(after: Int?, expected: Int) async throws {
    let parameter = after.map { #", "after": \#($0)"# } ?? ""
    try await meet(#"{"kind": "cut"\#(parameter)}"#) { response, server in
      #expect(response.head.contains("Content-Length: \(Self.record.utf8.count)"))
      #expect(response.body == String(Self.record.prefix(expected)))
    }
  }

  @Test func `logs that a response was incomplete`() async throws {
    try await meet(#"{"kind": "cut", "after": 10}"#) { _, server in
      let entry = try #require(server.replayed.log.last(1).first)
      #expect(entry.isComplete == false)
      #expect(entry.bytes == 10)
      #expect(entry.faultID == 1)
    }
  }

  @Test func `announces more than it sends, and closes`() async throws {
    try await meet(#"{"kind": "length", "offset": 5}"#) { response, _ in
      #expect(response.head.contains("Content-Length: \(Self.record.utf8.count + 5)"))
      #expect(response.body == Self.record)
    }
  }

  @Test func `announces less than it sends, so the rest runs into the next response`() async throws {
    try await withReplay(over: .live) { server async throws in
      let port = try #require(server.client.port)
      _ = try await server.send(.post, "/_replay/faults", #"{"kind": "length", "offset": -5, "times": 1}"#)
      let response = try await RawExchange.get(Self.path, "/404/", port: port)
      #expect(response.head.contains("Content-Length: \(Self.record.utf8.count - 5)"))
      #expect(response.body.contains("\(Self.record)HTTP/1.1 404 Not Found"))
    }
  }

  @Test func `resets the connection`() async throws {
    try await meet(#"{"kind": "reset"}"#) { response, server in
      #expect(response.bytes.readableBytes == 0)
      #expect(response.wasReset)
      // The client can see the reset before it is logged.
      await eventually { server.replayed.log.counts.byStatus == ["none": 1] }
    }
  }

  @Test func `sends an empty body with the right type`() async throws {
    try await meet(#"{"kind": "empty"}"#) { response, _ in
      #expect(response.head.hasPrefix("HTTP/1.1 200 OK"))
      #expect(response.head.contains("Content-Length: 0"))
      #expect(response.head.contains("Content-Type: application/json"))
      #expect(response.body.isEmpty)
    }
  }

  @Test func `continues until the client disconnects`() async throws {
    try await meet(#"{"kind": "endless"}"#, limit: 300_000) { response, _ in
      #expect(response.head.contains("transfer-encoding: chunked"))
      #expect(response.bytes.readableBytes >= 300_000)
      #expect(response.text.contains("\(Self.record)\(Self.record)"))
    }
  }

  @Test(arguments: [(100, 10), (5, 1)])
  func `drips at the given rate`(bytesPerSecond: Int, portion: Int) async throws {
    try await meet(#"{"kind": "drip", "bytesPerSecond": \#(bytesPerSecond)}"#) { response, server in
      #expect(response.body == Self.record)
      let portions = (Self.record.utf8.count + portion - 1) / portion
      #expect(server.clock.sleeps.count == portions)
      #expect(Set(server.clock.sleeps) == [.seconds(1) * portion / bytesPerSecond])
    }
  }

  @Test func `delays the right response or another fault`() async throws {
    try await meet(#"{"kind": "delay", "delay": 1500}"#) { response, server in
      #expect(response.body == Self.record)
      #expect(server.clock.sleeps == [.milliseconds(1_500)])
    }
    try await meet(#"{"kind": "empty", "delay": 70}"#) { response, server in
      #expect(response.body.isEmpty)
      #expect(server.clock.sleeps == [.milliseconds(70)])
    }
  }

  @Test func `sends HTML instead of JSON`() async throws {
    try await meet(#"{"kind": "html"}"#) { response, _ in
      #expect(response.head.hasPrefix("HTTP/1.1 200 OK"))
      #expect(response.head.contains("Content-Type: text/html"))
      #expect(response.body.hasPrefix("<html>"))
    }
  }

  @Test(arguments: [403, 404, 429, 500, 503])
  func `sends another status`(status: Int) async throws {
    let fault = #"{"kind": "status", "status": \#(status), "retryAfter": 3, "body": "no"}"#
    try await meet(fault) { response, _ in
      #expect(response.head.hasPrefix("HTTP/1.1 \(status) "))
      #expect(response.head.contains("Retry-After: 3"))
      #expect(response.head.contains("Content-Length: 2"))
      #expect(response.body == "no")
    }
  }

  @Test(arguments: [
    (#"{"kind": "redirect"}"#, "302 Found", Self.path),
    (#"{"kind": "redirect", "location": "http://10.0.0.1/x", "status": 308}"#, "308 ", "http://10.0.0.1/x"),
  ])
  func `redirects elsewhere or to itself`(fault: String, status: String, location: String) async throws {
    try await meet(fault) { response, _ in
      #expect(response.head.hasPrefix("HTTP/1.1 \(status)"))
      #expect(response.head.contains("Location: \(location)\r\n"))
    }
  }

  @Test(arguments: [(#"{"kind": "wrongNumber"}"#, 860), (#"{"kind": "wrongNumber", "number": 1}"#, 1)])
  func `changes the number and nothing else`(fault: String, number: Int) async throws {
    try await meet(fault) { response, _ in
      #expect(response.body == Self.record.replacing("\"num\": 859", with: "\"num\": \(number)"))
      #expect(response.head.contains("Content-Length: \(response.body.utf8.count)"))
    }
  }

  @Test func `applies only where it matches, and never to control routes`() async throws {
    try await withReplay { server async throws in
      let fault = #"{"kind": "status", "status": 500, "source": "imgs", "path": "/comics/*", "times": 1}"#
      _ = try await server.send(.post, "/_replay/faults", fault)
      _ = try await server.send(
        .post,
        "/_replay/faults",
        #"{"kind": "status", "status": 403, "path": "/_*"}"#
      )
      #expect(try await server.get(Self.path).status == .ok)
      #expect(try await server.get("/comics/(.png").status == .internalServerError)
      #expect(try await server.get("/comics/(.png").status == .ok)
      #expect(try await server.get("/_replay/faults").status == .ok)
    }
  }

  /// A seed picks the same requests in each run.
  @Test(arguments: [(0.0, 0...0), (0.1, 50...150), (0.5, 430...570), (1.0, 1_000...1_000)])
  func `strikes the given share of requests`(probability: Double, expected: ClosedRange<Int>) {
    for seed in UInt64(1)...5 {
      let runs = (1...2).map { _ in
        let plan = FaultPlan()
        _ = plan.add(Fault(kind: .reset, match: .init(), probability: probability, seed: seed))
        return (1...1_000).map { _ in plan.next { _ in true } != nil }
      }
      #expect(runs[0] == runs[1], "seed \(seed)")
      #expect(expected.contains(runs[0].count { $0 }), "seed \(seed)")
    }
  }

  /// A pattern, a request as `path?query`, and whether they match; the source is `imgs`, below `/imgs`.
  @Test(arguments: [
    ("/comics/a.png", "/comics/a.png", true), ("/comics/a.png", "/comics/a.png2", false),
    ("/comics/*", "/comics/", true), ("*.png", "/comics/a.png.jpg", false), ("/a*b*c", "/aXbXbXc", true),
    ("/comics/a.png", "/imgs/comics/a.png", true), ("/imgs/*", "/comics/a.png", false),
    ("/comics/a.png", "/comics/a.png?b=1", true), ("/comics/*?b=*", "/comics/a.png?b=1", true),
    ("/comics/*?b=*", "/comics/a.png", false), ("/comics/?.png", "/comics/a.png", false),
    ("/comics/%3F*", "/comics/%3F%3F%3F.png", true),
  ])
  func `matches a pattern against the path`(pattern: String, request: String, isMeant: Bool) {
    let parts = request.split(separator: "?", maxSplits: 1).map(String.init)
    let inner = parts[0].hasPrefix("/imgs/") ? String(parts[0].dropFirst(5)) : parts[0]
    let query = parts.count > 1 ? parts[1] : nil
    let match = FaultMatch(path: pattern)
    #expect(match.matches(source: "imgs", path: parts[0], inner: inner, query: query) == isMeant)
    let other = FaultMatch(source: "xkcd")
    #expect(!other.matches(source: "imgs", path: parts[0], inner: inner, query: query))
  }

  @Test func `does not change the response to a HEAD`() async throws {
    try await withReplay { server async throws in
      _ = try await server.send(.post, "/_replay/faults", #"{"kind": "cut"}"#)
      let response = try await server.send(.head, Self.path)
      #expect(response.status == .ok)
      #expect(response.headers[.contentLength] == String(Self.record.utf8.count))
    }
  }
}
