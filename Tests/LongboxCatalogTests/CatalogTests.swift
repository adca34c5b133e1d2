// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import Foundation
import LongboxCore
import LongboxStore
import LongboxUpstream
import Synchronization
import TestSupport
import Testing

@testable import LongboxCatalog

@Suite("Memory, then disk, then xkcd", .timeLimit(.minutes(10))) struct CatalogTests {
  private let xkcd = FakeXkcd(latest: 5)
  private let three = Comic.Number(of: 3)

  @Test func `requests a comic once and its picture once`() async throws {
    try await withCatalog(xkcd) { bench async throws in
      try await bench.catalog.refresher.checkNewest()
      _ = xkcd.takePaths()
      let picture = try await bench.catalog.picture(.standard, of: three)
      #expect(picture.bytes == HandmadeRecord.picture(3))
      #expect(picture.mediaType == "image/png")
      #expect(xkcd.takePaths() == ["/3/info.0.json", "/comics/bread_3.png"])
      _ = try await bench.catalog.picture(.standard, of: three)
      _ = try await bench.catalog.rawRecord(three)
      try await bench.catalog.ensure(three, withPicture: true)
      #expect(xkcd.takePaths() == [])
    }
  }

  @Test func `doesn't take a record that is late for one that doesn't exist`() async throws {
    try await withCatalog(xkcd) { bench async throws in
      try await bench.catalog.refresher.checkNewest()
      xkcd.hold("/3/info.0.json")
      await #expect(throws: CatalogError.upstream(.timedOut(.xkcd, subject: "comic 3"))) {
        try await bench.catalog.rawRecord(three, within: .milliseconds(20))
      }
      xkcd.release("/3/info.0.json")
    }
  }

  @Test func `requests one client's records in turns, so that another client's comes before the last`()
    async throws
  {
    let xkcd = FakeXkcd(latest: 9)
    try await withCatalog(xkcd) { bench async throws in
      try await bench.catalog.refresher.checkNewest()
      _ = xkcd.takePaths()
      for number in 1...4 { xkcd.hold("/\(number)/info.0.json") }
      let (catalog, requests) = (bench.catalog, bench.catalog.comics.requests)
      let five = Comic.Number(of: 5)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 1...4 {
          group.addTask { _ = try await catalog.rawRecord(Comic.Number(of: number), for: "192.0.2.1") }
          await eventually { await requests.source.waitingCount(of: "192.0.2.1") == max(0, number - 2) }
        }
        group.addTask { _ = try await catalog.rawRecord(five, for: "192.0.2.2") }
        await eventually { await requests.source.underWay.waiterCount(for: .record(five)) == 1 }
        for number in 1...4 { xkcd.release("/\(number)/info.0.json") }
        try await group.waitForAll()
      }
      let paths = xkcd.takePaths()
      let mine = try #require(paths.firstIndex(of: "/5/info.0.json"))
      let last = try #require(paths.firstIndex(of: "/4/info.0.json"))
      #expect(mine < last, "\(paths)")
    }
  }

  @Test func `answers from memory when the file is missing from the disk`() async throws {
    try await withCatalog(xkcd) { bench async throws in
      try await bench.catalog.refresher.checkNewest()
      let picture = try await bench.catalog.picture(.standard, of: three)
      try FileManager.default.removeItem(at: bench.folder.path("pictures/\(picture.name)"))
      #expect(try await bench.catalog.picture(.standard, of: three) == picture)
      _ = xkcd.takePaths()
      bench.catalog.comics.pictureCache.forget(three)
      #expect(try await bench.catalog.picture(.standard, of: three) == picture)
      #expect(xkcd.takePaths() == ["/comics/bread_3.png"])
    }
  }

  @Test func `answers from the disk after a restart, without xkcd`() async throws {
    let folder = TemporaryFolder()
    let thumbnail = try await withCatalog(xkcd, in: folder) { bench async throws in
      try await bench.catalog.refresher.checkNewest()
      return try await bench.catalog.picture(.thumbnail, of: three)
    }
    xkcd.setEverywhere(.failure(.unreachable(.xkcd, reason: "the cable is out")))
    _ = xkcd.takePaths()
    try await withCatalog(xkcd, in: folder) { bench async throws in
      #expect(bench.comic(3)?.title == "Bread 3")
      #expect(try await bench.catalog.rawRecord(three) == xkcd.record(3))
      #expect(try await bench.catalog.picture(.standard, of: three).bytes == HandmadeRecord.picture(3))
      #expect(try await bench.catalog.picture(.thumbnail, of: three) == thumbnail)
    }
    #expect(xkcd.takePaths() == [])
    #expect(thumbnail.mediaType == "image/webp")
  }

  @Test(arguments: [
    ("/3/info.0.json", ComicRequests.Key.record(Comic.Number(of: 3))),
    ("/comics/bread_3.png", .picture(Comic.Number(of: 3))),
  ])
  func `makes one request of equal concurrent ones`(path: String, key: ComicRequests.Key) async throws {
    try await withCatalog(xkcd) { bench async throws in
      try await bench.catalog.refresher.checkNewest()
      xkcd.hold(path)
      try await withThrowingTaskGroup(of: [UInt8].self) { group in
        for _ in 0..<20 {
          group.addTask { try await bench.catalog.picture(.standard, of: Comic.Number(of: 3)).bytes }
        }
        await xkcd.arrival(at: path)
        await eventually { await bench.catalog.comics.requests.source.underWay.waiterCount(for: key) == 20 }
        xkcd.release(path)
        for try await bytes in group { #expect(bytes == HandmadeRecord.picture(3)) }
      }
      #expect(xkcd.takePaths().count { $0 == path } == 1)
    }
  }

  @Test func `keeps working for later readers when one times out`() async throws {
    try await withCatalog(xkcd) { bench async throws in
      try await bench.catalog.refresher.checkNewest()
      xkcd.hold("/3/info.0.json")
      try await bench.catalog.ensure(three, within: .milliseconds(5))
      #expect(bench.comic(3) == nil)
      xkcd.release("/3/info.0.json")
      await eventually { bench.comic(3) != nil }
      #expect(xkcd.takePaths() == ["/info.0.json", "/3/info.0.json"])
    }
  }

  @Test func `fails at once while xkcd is down, with hardly any requests`() async throws {
    try await withCatalog(FakeXkcd(latest: 9)) { bench async throws in
      try await bench.catalog.refresher.checkNewest()
      bench.xkcd.setEverywhere(.failure(.unreachable(.xkcd, reason: "the cable is out")))
      _ = bench.xkcd.takePaths()
      for number in 1...8 {
        await #expect(throws: CatalogError.self) { try await bench.catalog.ensure(Comic.Number(of: number)) }
      }
      // A single failure could be the comic's own.
      #expect(bench.xkcd.takePaths() == ["/1/info.0.json", "/2/info.0.json"])

      bench.xkcd.setEverywhere(nil)
      await #expect(throws: CatalogError.self) { try await bench.catalog.ensure(three) }
      #expect(bench.xkcd.takePaths() == [])

      bench.time.advance(by: CircuitBreaker<Int>.pause)
      await #expect(throws: CatalogError.self) { try await bench.catalog.ensure(Comic.Number(of: 4)) }
      await eventually { bench.comic(4) != nil }
      try await bench.catalog.ensure(Comic.Number(of: 5))
      #expect(bench.comic(5) != nil)
    }
  }

  @Test func `lets only the first readers wait for a source that hangs`() async throws {
    try await withCatalog(FakeXkcd(latest: 9)) { bench async throws in
      try await bench.catalog.refresher.checkNewest()
      for number in 1...3 { bench.xkcd.hold("/\(number)/info.0.json") }
      for number in 1...2 {
        try await bench.catalog.ensure(Comic.Number(of: number), within: .milliseconds(5))
      }
      await #expect(throws: CatalogError.self) {
        try await bench.catalog.ensure(three, within: .seconds(600))
      }
      for number in 1...3 { bench.xkcd.release("/\(number)/info.0.json") }
      await eventually { bench.comic(1) != nil && bench.comic(2) != nil }
      try await bench.catalog.ensure(Comic.Number(of: 4))
    }
  }

  @Test func `reports a comic that does not exist as absent, in every kind`() async throws {
    xkcd.set(.status(404), at: "/3/info.0.json")
    try await withCatalog(xkcd) { bench async throws in
      try await bench.catalog.refresher.checkNewest()
      await #expect(throws: CatalogError.absent) { try await bench.catalog.ensure(three) }
      await #expect(throws: CatalogError.absent) { try await bench.catalog.rawRecord(three) }
      await #expect(throws: CatalogError.absent) { try await bench.catalog.picture(.thumbnail, of: three) }
    }
  }

  @Test(arguments: [true, false])
  func `knows no picture for an interactive comic whose record names the one before`(isNewestFirst: Bool)
    async throws
  {
    let raw = HandmadeRecord.raw(3, image: "bread_2.png", more: #", "extra_parts": {"pre": ""}"#)
    xkcd.set(raw, for: 3)
    try await withCatalog(xkcd) { bench async throws in
      for number in isNewestFirst ? [3, 2] : [2, 3] {
        let record = FetchedRecord(
          number: Comic.Number(of: number),
          raw: try #require(xkcd.record(number)),
          fetchedAt: bench.time.now
        )
        try await bench.store.comics.save([record])
        try await bench.catalog.comics.publisher.publish()
      }
      #expect(bench.comic(2)?.pictureAddress.isEmpty == false)
      #expect(bench.comic(3)?.pictureAddress.isEmpty == true)
      // As older rules have stored it.
      let picture = try await CatalogBench.inspector.fetchedPicture(HandmadeRecord.picture(2), of: three)
      try await bench.store.pictures.save([picture])
      try await bench.catalog.comics.publisher.publish()
      #expect(bench.comic(3)?.picture == nil)
      #expect(try await bench.catalog.storedPicture(.thumbnail, of: three) == nil)
      await #expect(throws: CatalogError.absent) { try await bench.catalog.picture(.thumbnail, of: three) }
    }
  }

  @Test func `asks for the comic before an interactive one, whose picture it may be`() async throws {
    xkcd.set(HandmadeRecord.raw(3, image: "bread_2.png", more: #", "extra_parts": {}"#), for: 3)
    try await withCatalog(xkcd) { bench async throws in
      try await bench.catalog.refresher.checkNewest()
      await #expect(throws: CatalogError.absent) { try await bench.catalog.picture(.standard, of: three) }
      #expect(!xkcd.takePaths().contains("/comics/bread_2.png"))
    }
  }

  @Test func `can fetch a single comic again`() async throws {
    try await withCatalog(xkcd) { bench async throws in
      try await bench.bringEverything()
      xkcd.set(HandmadeRecord.raw(3, title: "Toast", image: "toast.png"), for: 3)
      xkcd.set(picture: HandmadeRecord.picture(99), named: "toast.png")
      _ = xkcd.takePaths()
      try await bench.catalog.reload(three)
      #expect(xkcd.takePaths() == ["/3/info.0.json", "/comics/toast.png"])
      #expect(bench.comic(3)?.title == "Toast")
      #expect(try await bench.catalog.picture(.standard, of: three).bytes == HandmadeRecord.picture(99))
    }
  }

  @Test func `shows a picture that another node has replaced`() async throws {
    try await withCatalog(xkcd) { bench async throws in
      try await bench.bringEverything()
      _ = try await bench.catalog.picture(.standard, of: three)
      let new = try await CatalogBench.inspector.fetchedPicture(HandmadeRecord.picture(99), of: three)
      try await bench.store.pictures.save([new])
      try await bench.catalog.comics.publisher.publish()
      #expect(try await bench.catalog.picture(.standard, of: three).bytes == new.bytes)
    }
  }

  @Test func `doesn't keep a picture that is replaced while it is read`() async throws {
    try await withCatalog(xkcd) { bench async throws in
      try await bench.bringEverything()
      let old = try await bench.catalog.picture(.standard, of: Comic.Number(of: 2))
      let new = try await bench.catalog.picture(.standard, of: three)
      let stored = Mutex(old)
      let slowDisk = PausedClock()
      let cache = PictureCache(memoryLimit: 1 << 20) { _, _ in
        let content = stored.withLock { $0 }
        try await slowDisk.sleep(until: .now, tolerance: nil)
        return content
      }
      let first = Task { try await cache.picture(.standard, of: .first) }
      for await _ in slowDisk.asleep { break }
      stored.withLock { $0 = new }
      cache.forget(.first)
      slowDisk.wake()
      #expect(try await first.value == old)
      slowDisk.wake()
      #expect(try await cache.picture(.standard, of: .first) == new)
      #expect(try await cache.picture(.standard, of: .first) == new)
      #expect(cache.counts.disk == 2)
    }
  }
}
