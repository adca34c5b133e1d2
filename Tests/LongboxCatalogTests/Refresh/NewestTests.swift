// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import Foundation
import LongboxCore
import LongboxStore
import LongboxUpstream
import TestSupport
import Testing

@testable import LongboxCatalog

@Suite("Checking for a new comic", .timeLimit(.minutes(10))) struct NewestTests {
  private let xkcd = FakeXkcd(latest: 5)
  private let time = SettableTime()
  private let hour: TimeInterval = 3_600

  @Test func `fetches every comic in a gap`() async throws {
    try await withCatalog(xkcd, time: time) { bench async throws in
      try await bench.bringEverything()
      time.advance(by: hour)
      xkcd.publish(upTo: 9)
      _ = xkcd.takePaths()
      try await bench.catalog.refresher.checkNewest()
      #expect(bench.catalog.snapshot.archive.latest?.number.value == 9)
      try await bench.fill()
      let paths = Set(xkcd.takePaths())
      #expect(paths.isSuperset(of: (6...8).map { "/\($0)/info.0.json" }))
      #expect(paths.isSuperset(of: (6...9).map { "/comics/bread_\($0).png" }))
      #expect(bench.catalog.snapshot.archive.count == 9)
    }
  }

  @Test func `leaves 404 out of a gap`() async throws {
    let xkcd = FakeXkcd(latest: 402)
    try await withCatalog(xkcd, settings: .init(fills: false)) { bench async throws in
      let old = (1...402).compactMap { number in
        xkcd.record(number).map {
          FetchedRecord(number: Comic.Number(of: number), raw: $0, fetchedAt: time.now)
        }
      }
      try await bench.store.comics.save(old)
      xkcd.publish(upTo: 406)
      try await bench.catalog.refresher.checkNewest()
      _ = xkcd.takePaths()
      var records: [String] = []
      while records.isEmpty, case .worked = try await bench.catalog.refresher.fillStep() {
        records = xkcd.takePaths().filter { $0.hasSuffix(".json") }
      }
      #expect(records == ["/405/info.0.json", "/403/info.0.json"])
    }
  }

  @Test func `sends a conditional request, and changes nothing when nothing is new`() async throws {
    try await withCatalog(xkcd, time: time) { bench async throws in
      try await bench.bringEverything()
      _ = xkcd.takePaths()
      let before = bench.catalog.snapshot.generation
      time.advance(by: hour)
      try await bench.catalog.refresher.checkNewest()
      #expect(xkcd.takeQuestions() == [.init(path: "/info.0.json", isConditional: true)])
      #expect(bench.catalog.snapshot.generation == before)
      #expect(try await bench.store.fetches.newestCheck()?.succeededAt == time.now)
    }
  }

  @Test func `keeps the comics while xkcd is down, and says since when`() async throws {
    try await withCatalog(xkcd, time: time) { bench async throws in
      try await bench.bringEverything()
      let lastSeen = time.now
      time.advance(by: hour)
      xkcd.setEverywhere(.status(503))
      await #expect(throws: CatalogError.self) { try await bench.catalog.refresher.checkNewest() }
      #expect(bench.catalog.snapshot.downSince == lastSeen)
      #expect(bench.catalog.snapshot.archive.count == 5)
      let check = try await bench.store.fetches.newestCheck()
      #expect(check?.newest?.value == 5)
      #expect(check?.failure?.contains("503") == true)
      xkcd.setEverywhere(nil)
      let generation = bench.catalog.snapshot.generation
      try await bench.catalog.refresher.checkNewest()
      #expect(bench.catalog.snapshot.downSince == nil)
      #expect(bench.catalog.snapshot.generation > generation)
      #expect(try await bench.store.fetches.newestCheck()?.failure == nil)
    }
  }

  @Test func `checks the newest three again for a week, and then no more`() async throws {
    try await withCatalog(xkcd, time: time) { bench async throws in
      try await bench.bringEverything()
      // The settled state after the first day: each of the three was checked with its date known.
      for _ in 0..<4 {
        time.advance(by: 6 * hour)
        try await bench.fill()
      }
      _ = xkcd.takeQuestions()
      time.advance(by: 6 * hour)
      try await bench.fill()
      let newestThree = (3...5).reversed()
      let records = newestThree.map { FakeXkcd.Question(path: "/\($0)/info.0.json", isConditional: true) }
      let pictures = newestThree.map {
        FakeXkcd.Question(path: "/comics/bread_\($0).png", isConditional: false)
      }
      #expect(xkcd.takeQuestions() == records + pictures)
      time.advance(by: 8 * 24 * hour)
      try await bench.fill()
      _ = xkcd.takeQuestions()
      time.advance(by: 365 * 24 * hour)
      let end = try await bench.fill()
      #expect(xkcd.takeQuestions() == [])
      guard case .idle(until: nil) = end else {
        Issue.record("Something is still due: \(end)")
        return
      }
    }
  }

  @Test func `fetches the new picture of a changed record, under another version`() async throws {
    try await withCatalog(xkcd, time: time) { bench async throws in
      try await bench.bringEverything()
      let before = try #require(bench.comic(4)?.picture)
      xkcd.set(HandmadeRecord.raw(4, title: "Mended", image: "mended.png", date: time.now), for: 4)
      xkcd.set(picture: HandmadeRecord.picture(77), named: "mended.png")
      time.advance(by: 7 * hour)
      let generation = bench.catalog.snapshot.generation
      try await bench.fill()
      let after = try #require(bench.comic(4)?.picture)
      #expect(bench.comic(4)?.title == "Mended")
      #expect(after.version != before.version)
      #expect(after.versionText != before.versionText)
      #expect(bench.catalog.snapshot.generation > generation)
      let picture = try await bench.catalog.picture(.standard, of: Comic.Number(of: 4))
      #expect(picture.bytes == HandmadeRecord.picture(77))
    }
  }

  @Test func `removes no comics when the source forgets its newest`() async throws {
    try await withCatalog(xkcd, time: time) { bench async throws in
      try await bench.bringEverything()
      xkcd.set(.body(HandmadeRecord.raw(2)), at: "/info.0.json")
      try await bench.catalog.refresher.checkNewest()
      #expect(bench.catalog.snapshot.archive.latest?.number.value == 5)
      #expect(bench.catalog.comics.current.newest?.value == 5)
      #expect(try await bench.store.fetches.newestCheck()?.newest?.value == 5)
    }
  }
}
