// Longbox
// SPDX-License-Identifier: MIT

import AsyncHTTPClient
import CatalogTestSupport
import Foundation
import LongboxCore
import NIOCore
import NIOHTTP1
import TestSupport
import Testing

/// A device that syncs with a server, across restarts of the server.
private struct Device {
  var replica: Replica
  var cookie: String?
  /// The favorites that the server has acknowledged.
  var acknowledged: Set<Int> = []
  private var nonce: UInt64 = 0

  init(_ device: UInt64, cookie: String? = nil) {
    replica = Replica(device: device)
    self.cookie = cookie
  }

  var favorites: Set<Int> { Set(replica.library.favorites.map(\.comic.value)) }

  mutating func like(_ number: Int) throws {
    let now = UInt64(Date().timeIntervalSince1970 * 1000)
    try replica.library.addFavorite(#require(Comic.Number(number)), at: replica.editTime(at: now))
  }

  /// Sends the unsent changes once.
  /// - Throws: any error that prevents a reply.
  mutating func sync(_ address: String) async throws {
    nonce += 1
    let sent = favorites
    var request = HTTPClientRequest(url: address + "/sync")
    request.method = .POST
    request.headers.add(name: "Content-Type", value: "application/octet-stream")
    request.headers.add(name: "Origin", value: address)
    if let cookie { request.headers.add(name: "Cookie", value: cookie) }
    request.body = .bytes(replica.request(nonce: nonce).encoded())
    let response = try await HTTPClient.shared.execute(request, timeout: .seconds(120))
    let body = try await response.body.collect(upTo: 1 << 20)
    #expect(response.status == .ok)
    let now = UInt64(Date().timeIntervalSince1970 * 1000)
    let reply = try SyncReply(decoding: Array(body.readableBytesView))
    let progress = try replica.receive(reply, at: now)
    #expect(progress == .settled || progress == .again)
    acknowledged = sent
    cookie = response.headers.first(name: "Set-Cookie").map { String($0.prefix { $0 != ";" }) } ?? cookie
  }
}

@Suite(
  "A server that is killed",
  .timeLimit(.minutes(10)),
  .enabled(if: Program.isBuilt("longbox"), "the program isn't beside the tests")
)
struct SyncKillTests {
  private let data = TemporaryFolder()

  private func start() async throws -> (Program, address: String) {
    let server = try Program(
      built: "longbox",
      ["serve", "--port", "0", "--xkcd-url", "http://127.0.0.1:1", "--explain-url", "http://127.0.0.1:1"],
      environment: ["LONGBOX_DATA": data.url.path, "LONGBOX_XKCD_IMAGES_URL": "http://127.0.0.1:1"]
    )
    let line = try await server.firstLine()
    return (server, String(try #require(line.firstMatch(of: /http:\/\/\S+/)).0))
  }

  /// A device makes a hundred changes and syncs each, while SIGKILL ends the server at random times.
  ///
  /// After each restart another device must get everything acknowledged, and in the end all changes.
  @Test func `loses no acknowledged change in a hundred syncs`() async throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var dice = SeededGenerator(seed: seed)
    var device = Device(1)
    var (server, address) = try await start()
    var kills = 0
    for number in 1...100 {
      try device.like(number)
      let isDoomed = number % 5 == 0
      let killing = isDoomed ? killLater(server, .random(in: 0...8_000, using: &dice)) : nil
      // The next sync repeats one that the kill interrupted.
      try? await device.sync(address)
      await killing?.value
      guard isDoomed else { continue }
      kills += 1
      _ = try await server.end()
      (server, address) = try await start()
      var other = Device(1_000 + UInt64(number), cookie: device.cookie)
      if device.cookie != nil { try await other.sync(address) }
      let lost = device.acknowledged.subtracting(other.favorites)
      #expect(lost.isEmpty, "after kill \(kills), seed \(seed): \(lost.sorted())")
    }
    try await device.sync(address)
    var last = Device(2, cookie: device.cookie)
    try await last.sync(address)
    #expect(last.favorites == Set(1...100), "seed \(seed)")
    #expect(kills == 20)
    server.terminate()
    #expect(try await server.end().code == 0)
  }

  /// Kills the server after some microseconds; a sync takes about a thousand.
  private func killLater(_ server: Program, _ microseconds: Int) -> Task<Void, Never> {
    Task {
      try? await Task.sleep(for: .microseconds(microseconds))
      server.kill()
    }
  }
}
