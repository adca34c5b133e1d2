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
    _ check: @Sendable (RawResponse, Bench) async throws -> Void
  ) async throws {
    try await withReplay(over: .live) { bench async throws in
      let port = try #require(bench.client.port)
      #expect(try await bench.send(.post, "/_replay/faults", fault).status == .created)
      let response = try await RawExchange.get(Self.path, port: port, limit: limit)
      #expect(bench.replayed.plan.entries.map(\.uses) == [1])
      try await check(response, bench)
    }
  }

  @Test(arguments: [(nil, Self.record.utf8.count / 2), (0, 0), (10, 10), (100_000, Self.record.utf8.count)])
  func `cuts the body and closes the connection`(after: Int?, expected: Int) async throws {
    let parameter = after.map { #", "after": \#($0)"# } ?? ""
    try await meet(#"{"kind": "cut"\#(parameter)}"#) { response, bench in
      #expect(response.head.contains("Content-Length: \(Self.record.utf8.count)"))
      #expect(response.body == String(Self.record.prefix(expected)))
    }
  }

  @Test func `logs that a response was incomplete`() async throws {
    try await meet(#"{"kind": "cut", "after": 10}"#) { _, bench in
      let entry = try #require(bench.replayed.log.last(1).first)
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
    try await withReplay(over: .live) { bench async throws in
      let port = try #require(bench.client.port)
      _ = try await bench.send(.post, "/_replay/faults", #"{"kind": "length", "offset": -5, "times": 1}"#)
      let response = try await RawExchange.get(Self.path, "/404/", port: port)
      #expect(response.head.contains("Content-Length: \(Self.record.utf8.count - 5)"))
      #expect(response.body.contains("\(Self.record)HTTP/1.1 404 Not Found"))
    }
  }

  @Test func `resets the connection`() async throws {
    try await meet(#"{"kind": "reset"}"#) { response, bench in
      #expect(response.bytes.readableBytes == 0)
      #expect(response.wasReset)
      // The client can see the reset before it is logged.
      await eventually { bench.replayed.log.counts.byStatus == ["none": 1] }
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
    try await meet(#"{"kind": "drip", "bytesPerSecond": \#(bytesPerSecond)}"#) { response, bench in
      #expect(response.body == Self.record)
      let portions = (Self.record.utf8.count + portion - 1) / portion
      #expect(bench.clock.sleeps.count == portions)
      #expect(Set(bench.clock.sleeps) == [.seconds(1) * portion / bytesPerSecond])
    }
  }

  @Test func `delays the right response or another fault`() async throws {
    try await meet(#"{"kind": "delay", "delay": 1500}"#) { response, bench in
      #expect(response.body == Self.record)
      #expect(bench.clock.sleeps == [.milliseconds(1_500)])
    }
    try await meet(#"{"kind": "empty", "delay": 70}"#) { response, bench in
      #expect(response.body.isEmpty)
      #expect(bench.clock.sleeps == [.milliseconds(70)])
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
    try await withReplay { bench async throws in
      let fault = #"{"kind": "status", "status": 500, "source": "imgs", "path": "/comics/*", "times": 1}"#
      _ = try await bench.send(.post, "/_replay/faults", fault)
      _ = try await bench.send(.post, "/_replay/faults", #"{"kind": "status", "status": 403, "path": "/_*"}"#)
      #expect(try await bench.get(Self.path).status == .ok)
      #expect(try await bench.get("/comics/(.png").status == .internalServerError)
      #expect(try await bench.get("/comics/(.png").status == .ok)
      #expect(try await bench.get("/_replay/faults").status == .ok)
    }
  }

  @Test func `does not change the response to a HEAD`() async throws {
    try await withReplay { bench async throws in
      _ = try await bench.send(.post, "/_replay/faults", #"{"kind": "cut"}"#)
      let response = try await bench.send(.head, Self.path)
      #expect(response.status == .ok)
      #expect(response.headers[.contentLength] == String(Self.record.utf8.count))
    }
  }
}
