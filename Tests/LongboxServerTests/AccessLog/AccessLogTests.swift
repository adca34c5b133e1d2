// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import Dispatch
import Foundation
import HTTPTypes
import HummingbirdTesting
import LongboxCatalog
import NIOCore
import NIOPosix
import Synchronization
import Testing
import TestSupport

@testable import LongboxServer

@Suite("The access log", .timeLimit(.minutes(10))) struct AccessLogTests {
  /// Collects what is logged; a test can make writing wait.
  private final class Output: Sendable {
    private let bytes = Mutex<[UInt8]>([])
    private let gate = DispatchSemaphore(value: 1)

    var text: String { String(decoding: bytes.withLock { $0 }, as: UTF8.self) }
    var lines: [String] { text.split(separator: "\n").map(String.init) }

    /// Makes writing wait until `resume`.
    func pause() { gate.wait() }

    func resume() { gate.signal() }

    func write(_ more: [UInt8]) {
      gate.wait()
      gate.signal()
      bytes.withLock { $0 += more }
    }
  }

  private func withSocket(
    _ log: AccessLogSettings?,
    trusting proxies: TrustedProxies = TrustedProxies(),
    _ test: @Sendable (any TestClientProtocol, Int) async throws -> Void
  ) async throws {
    try await withCatalog(FakeXkcd(latest: 3)) { back in
      await back.catalog.prepare()
      var settings = ServerSettings(port: 0)
      settings.trustedProxies = proxies
      settings.accessLog = log
      let application = Server.application(
        catalog: back.catalog,
        store: back.store,
        settings: settings,
        now: { back.time.now },
        logger: .silent
      )
      try await application.test(.live) { client in try await test(client, try #require(client.port)) }
    }
  }

  /// The request line and the status of each line.
  private func summaries(_ output: Output) -> [String] {
    output.lines.compactMap { line -> String? in
      let parts = line.split(separator: "\"", maxSplits: 2)
      guard parts.count == 3, let status = parts[2].split(separator: " ").first else { return nil }
      return "\(parts[1].replacing(" HTTP/1.1", with: " "))\(status)"
    }
  }

  @Test func `has every response in its order, from memory or not, and rejected requests`() async throws {
    let output = Output()
    try await withSocket(AccessLogSettings(format: .combined) { output.write($0) }) {
      client,
      port async throws in
      try await eventually { try await client.execute(uri: "/3/", method: .get) { $0.status == .ok } }
      await eventually { output.lines.last?.contains("GET /3/") == true }
      let before = output.lines.count
      _ = try await RawExchange.get("/3/", "/nowhere", "/3/", "/healthz", port: port)
      _ = try await RawExchange.send(
        "POST /favorites/set HTTP/1.1\r\nhost: localhost\r\ncontent-length: 0\r\nconnection: close\r\n\r\n",
        port: port
      )
      _ = try await RawExchange.send("GET / HTTP/1.1\r\nhost: evil.example\r\n\r\n", port: port)
      let expected = [
        "GET /3/ 200", "GET /nowhere 404", "GET /3/ 200", "GET /healthz 200", "POST /favorites/set 403",
        "GET / 421",
      ]
      await eventually { output.lines.count >= before + expected.count }
      #expect(Array(summaries(output).dropFirst(before)) == expected)
      let page = try await client.execute(uri: "/3/", method: .get) { $0 }
      await eventually { output.lines.count > before + expected.count }
      #expect(output.lines.last?.contains(" 200 \(page.body.readableBytes) ") == true)
      #expect(output.lines.last?.hasPrefix("127.0.0.0 - - [15/Jan/2027:12:00:00 +0000] ") == true)
    }
  }

  @Test(arguments: [
    "NONSENSE\r\n\r\n", "GET / HTTP/9.9\r\n\r\n",
    "GET / HTTP/1.1\r\nhost: localhost\r\ncontent-length: -1\r\n\r\n",
    "GET / HTTP/1.1\r\nhost: localhost\r\nx: \(String(repeating: "a", count: 40_000))\r\n\r\n",
  ])
  func `has requests that can't be read`(request: String) async throws {
    let output = Output()
    try await withSocket(AccessLogSettings(format: .combined) { output.write($0) }) { _, port async throws in
      _ = try await RawExchange.send("GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n" + request, port: port)
      await eventually { output.lines.count >= 2 }
      #expect(summaries(output) == ["GET /healthz 200", "- - 400"])
    }
  }

  @Test func `names the client that a trusted proxy names`() async throws {
    let output = Output()
    let log = AccessLogSettings(format: .json, hasFullAddresses: true) { output.write($0) }
    try await withSocket(log, trusting: .local) { client, _ async throws in
      let fields: HTTPFields = [.named("X-Forwarded-For"): "203.0.113.9"]
      _ = try await client.execute(uri: "/healthz", method: .get, headers: fields) { $0 }
      await eventually { !output.lines.isEmpty }
      #expect(output.lines.last?.contains(#""client":"203.0.113.9""#) == true)
    }
  }

  @Test func `has the requests of clients that leave before the response`() async throws {
    let output = Output()
    try await withSocket(AccessLogSettings(format: .combined) { output.write($0) }) { _, port async throws in
      // The server waits for the body, so nothing is answered.
      let request =
        "POST /favorites/set HTTP/1.1\r\nhost: localhost\r\norigin: http://localhost\r\ncontent-length: 9\r\n\r\na"
      let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .connect(host: "localhost", port: port).get()
      try await channel.writeAndFlush(ByteBuffer(string: request))
      try await channel.close()
      await eventually { !output.lines.isEmpty }
      #expect(summaries(output).first?.hasPrefix("POST /favorites/set ") == true)
    }
  }

  @Test func `delays no response while its output isn't read, and says how much was lost`() async throws {
    let output = Output()
    let recorder = LogRecorder()
    let incidents = IncidentLog(logger: recorder.logger)
    let log = AccessLog(AccessLogSettings(format: .combined) { output.write($0) }, incidents: incidents)
    output.pause()
    let request = HTTPRequest(method: .get, scheme: "http", authority: "a", path: "/353/")
    let entry = AccessLogEntry(time: SettableTime.start, request: request, status: 200)
    let size = entry.line(AccessLogSettings(format: .combined, write: { _ in })).count
    let count = 3 * AccessLog.mostWaiting / size
    for _ in 0..<count { log.note(entry) }
    #expect(recorder.lines.map(\.text) == [Incident.lostAccessLines.sentence])
    output.resume()
    await eventually { output.text.utf8.count >= AccessLog.mostWaiting - size }
    // At most what waits, and what was being written.
    #expect(output.text.utf8.count <= 2 * AccessLog.mostWaiting)
    #expect(output.text.utf8.count % size == 0, "Only whole lines are lost.")
  }

  @Test func `says that its output has failed, and goes on`() async throws {
    struct Broken: Error {}
    let recorder = LogRecorder()
    let tries = Mutex(0)
    let settings = AccessLogSettings(format: .json) { _ in
      tries.withLock { $0 += 1 }
      throw Broken()
    }
    let log = AccessLog(settings, incidents: IncidentLog(logger: recorder.logger))
    let request = HTTPRequest(method: .get, scheme: "http", authority: "a", path: "/")
    for time in 1...2 {
      log.note(AccessLogEntry(time: SettableTime.start, request: request, status: 200))
      await eventually { tries.withLock { $0 } == time }
    }
    await eventually { recorder.lines.count == 1 }
  }

  @Test func `counts the lines that are lost when its output fails`() async throws {
    struct Broken: Error {}
    let output = Output()
    let metrics = ServerMetrics()
    let incidents = IncidentLog(logger: .silent, metrics: metrics)
    let settings = AccessLogSettings(format: .json) { lines in
      output.write(lines)
      throw Broken()
    }
    let log = AccessLog(settings, incidents: incidents)
    let request = HTTPRequest(method: .get, scheme: "http", authority: "a", path: "/")
    output.pause()
    for _ in 1...5 { log.note(AccessLogEntry(time: SettableTime.start, request: request, status: 200)) }
    output.resume()
    await eventually {
      metrics.factory.text().contains(#"longbox_rejected_total{reason="lostAccessLines"} 5"#)
    }
    #expect(output.lines.count == 5)
  }
}
