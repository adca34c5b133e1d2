// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import Foundation
import LongboxCore
import LongboxStore
import LongboxUpstream
import Testing
import TestSupport

@testable import LongboxCatalog

@Suite(.timeLimit(.minutes(10))) struct `A comic whose failures look like an outage` {
  @Test(arguments: [
    FakeXkcd.Trouble.failure(.unreachable(.xkcd, reason: "the connection broke")), .status(403),
    .status(429),
  ])
  func `is skipped once the source has answered another request`(trouble: FakeXkcd.Trouble) async throws {
    let xkcd = FakeXkcd(latest: 9)
    let time = SettableTime()
    xkcd.set(trouble, at: "/7/info.0.json")
    xkcd.set(trouble, at: "/comics/bread_5.png")
    try await withCatalog(xkcd, time: time) { bench async throws in
      try await bench.catalog.refresher.checkNewest()
      var pauses = 0
      while try await bench.fill().isDown, pauses < 10 {
        pauses += 1
        #expect(bench.catalog.snapshot.downSince != nil)
        try await bench.catalog.refresher.checkNewest()
        #expect(bench.catalog.snapshot.downSince == nil)
      }
      #expect(pauses == 2, "once for each of the two")
      #expect(try await bench.store.fetches.failures().map(\.number.value) == [7, 5])
      #expect(bench.catalog.snapshot.progress == .init(texts: 8, pictures: 7, failures: 2, total: 9))
      xkcd.set(nil, at: "/7/info.0.json")
      xkcd.set(nil, at: "/comics/bread_5.png")
      time.advance(by: 301)
      try await bench.fill()
      #expect(bench.catalog.snapshot.progress == .init(texts: 9, pictures: 9, failures: 0, total: 9))
    }
  }

  @Test func `is not marked as failed while every request fails`() async throws {
    let xkcd = FakeXkcd(latest: 9)
    try await withCatalog(xkcd) { bench async throws in
      try await bench.catalog.refresher.checkNewest()
      xkcd.setEverywhere(.status(429))
      for _ in 0..<5 {
        #expect(try await bench.fill().isDown)
        await #expect(throws: CatalogError.self) { try await bench.catalog.refresher.checkNewest() }
      }
      #expect(try await bench.store.fetches.failures() == [])
    }
  }
}
