// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import Foundation
import HTTPTypes
import HummingbirdTesting
import LongboxCore
import LongboxReaders
import NIOCore
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

  /// Adds favourites, each an edit of its own.
  mutating func like(_ comics: Int...) throws {
    for comic in comics {
      now += 1
      try replica.library.addFavorite(#require(Comic.Number(comic)), at: replica.moment(at: now))
    }
  }

  var favorites: Set<Int> { Set(replica.library.favorites.map(\.comic.value)) }

  /// Sends what has not been acknowledged, and gives the answer without heeding it.
  mutating func send() async throws -> TestResponse {
    nonce += 1
    return try await browser.post(
      "/sync",
      ByteBuffer(bytes: replica.request(nonce: nonce).encoded()),
      as: "application/octet-stream"
    )
  }

  /// Syncs until nothing is left to do.
  /// - Returns: how many exchanges it took.
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

  /// Saves 5 MiB: one library holds that, and not twice as much.
  mutating func fill(_ name: Text) throws {
    let value = Text([UInt8](repeating: 120, count: LibraryLimits.valueLength))
    for number in 0..<1280 {
      let moment = replica.moment(at: now)
      try replica.library.save(value, kind: "test", name: name + Text(decimal: number), at: moment)
    }
  }
}
