// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import Foundation
import HTTPTypes
import HummingbirdTesting
import LongboxCore
import LongboxReaders
import NIOCore
import TestSupport
import Testing

@testable import LongboxServer

/// A device that edits its own copy of a library and syncs it with a server, as the installed app does.
struct SyncingDevice: Sendable {
  var browser: Browser
  var replica: Replica
  /// The device's time in milliseconds since 1970-01-01 UTC.
  var now: UInt64
  private var nonce: UInt64 = 0

  init(_ bench: ServerBench, device: UInt64, cookie: String? = nil) {
    browser = Browser(bench: bench, cookie: cookie)
    replica = Replica(device: device)
    now = bench.back.time.now.milliseconds
  }

  /// Adds favorites, each as a separate edit.
  mutating func like(_ comics: Int...) throws { try like(comics) }

  mutating func like(_ comics: [Int]) throws {
    for comic in comics {
      now += 1
      try replica.library.addFavorite(#require(Comic.Number(comic)), at: replica.editTime(at: now))
    }
  }

  var favorites: Set<Int> { Set(replica.library.favorites.map(\.comic.value)) }

  /// Sends unacknowledged changes, and returns the response without applying it.
  mutating func send() async throws -> TestResponse {
    nonce += 1
    return try await browser.post(
      "/sync",
      ByteBuffer(bytes: replica.request(nonce: nonce).encoded()),
      as: "application/octet-stream"
    )
  }

  /// Syncs until nothing is left to do.
  /// - Returns: the number of exchanges.
  @discardableResult
  mutating func sync() async throws -> Int {
    for exchange in 1...5 {
      let answer = try await send()
      try #require(answer.status == .ok, "\(answer.text)")
      let progress = try replica.receive(SyncReply(decoding: answer.bytes), at: now)
      if progress == .settled { return exchange }
      #expect(progress == .again)
    }
    Issue.record("there was no end of exchanges")
    return 6
  }

  /// Saves 5 MiB, more than half of what a library may hold.
  mutating func fill(_ name: Text) throws {
    let value = Text([UInt8](repeating: 120, count: LibraryLimits.valueLength))
    for number in 0..<1280 {
      let editTime = replica.editTime(at: now)
      try replica.library.save(value, kind: "test", name: name + Text(decimal: number), at: editTime)
    }
  }
}
