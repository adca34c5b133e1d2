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

@Suite(.timeLimit(.minutes(10))) struct `Double-size pictures` {
  private let xkcd = FakeXkcd(latest: 1_086, from: 1_080)
  private let time = SettableTime()
  private let day: TimeInterval = 86_400

  /// A catalog that knows only these comics, with nothing else due.
  private func withComics(
    _ numbers: ClosedRange<Int>,
    _ body: (CatalogBench) async throws -> Void
  ) async throws {
    try await withCatalog(xkcd, time: time) { bench async throws in
      let records = numbers.compactMap { number in
        xkcd.record(number).map {
          FetchedRecord(number: Comic.Number(of: number), raw: $0, fetchedAt: time.now)
        }
      }
      try await bench.store.comics.save(records)
      for number in 1...1_086 where !numbers.contains(number) {
        guard let number = Comic.Number(number) else { continue }
        try await bench.store.fetches.noteAbsent(.record, of: number, lookAgain: nil)
      }
      try await bench.catalog.comics.publisher.publish()
      try await body(bench)
    }
  }

  @Test func `are requested once, and their presence or absence is stored`() async throws {
    xkcd.set(picture: HandmadeRecord.picture(1_085, scale: 2), named: "bread_1085_2x.png")
    try await withComics(1_084...1_086) { bench async throws in
      try await bench.fill()
      #expect(xkcd.takePaths().filter { $0.contains("_2x") }.count == 3)
      #expect(bench.comic(1_084)?.picture?.doubleSize == .absent)
      #expect(bench.comic(1_085)?.picture?.doubleSize == .present)
      let double = try await bench.catalog.picture(.doubleSize, of: Comic.Number(of: 1_085))
      #expect(double.bytes == HandmadeRecord.picture(1_085, scale: 2))
      await #expect(throws: CatalogError.absent) {
        try await bench.catalog.picture(.doubleSize, of: Comic.Number(of: 1_084))
      }
      time.advance(by: 29 * day)
      try await bench.fill()
      #expect(xkcd.takePaths() == [])
      xkcd.set(picture: HandmadeRecord.picture(1_084, scale: 2), named: "bread_1084_2x.png")
      time.advance(by: 2 * day)
      try await bench.fill()
      #expect(xkcd.takePaths() == ["/comics/bread_1086_2x.png", "/comics/bread_1084_2x.png"])
      #expect(bench.comic(1_084)?.picture?.doubleSize == .present)
    }
  }

  @Test(arguments: [(1, 1, 1, 1), (2, 1, 1, 2)])
  func `are not used if they have the size of the first picture, or another shape`(
    sides: (width: Int, height: Int, doubleWidth: Int, doubleHeight: Int)
  ) async throws {
    let grey: (Int, Int) -> [UInt8] = { _, _ in [9, 9, 9] }
    let picture = HandmadePicture.png(20 * sides.width, 20 * sides.height, pixel: grey)
    let double = HandmadePicture.png(20 * sides.doubleWidth, 20 * sides.doubleHeight, pixel: grey)
    xkcd.set(picture: picture, named: "bread_1086.png")
    xkcd.set(picture: double, named: "bread_1086_2x.png")
    try await withComics(1_086...1_086) { bench async throws in
      try await bench.fill()
      #expect(xkcd.takePaths().contains { $0.contains("_2x") })
      #expect(bench.comic(1_086)?.picture?.doubleSize == .absent)
    }
  }

  @Test func `are not requested for comics from before they existed`() async throws {
    try await withComics(1_082...1_083) { bench async throws in
      try await bench.fill()
      #expect(!xkcd.takePaths().contains { $0.contains("_2x") })
      await #expect(throws: CatalogError.absent) {
        try await bench.catalog.picture(.doubleSize, of: Comic.Number(of: 1_083))
      }
    }
  }

  @Test func `are fetched again with a new picture, and the old one is not shown with it`() async throws {
    xkcd.set(picture: HandmadeRecord.picture(1_086, scale: 2), named: "bread_1086_2x.png")
    try await withComics(1_086...1_086) { bench async throws in
      try await bench.fill()
      xkcd.set(HandmadeRecord.raw(1_086, title: "New", image: "new.png"), for: 1_086)
      xkcd.set(picture: HandmadeRecord.picture(3), named: "new.png")
      xkcd.set(picture: HandmadeRecord.picture(3, scale: 2), named: "new_2x.png")
      try await bench.catalog.reload(Comic.Number(of: 1_086))
      let double = try await bench.catalog.picture(.doubleSize, of: Comic.Number(of: 1_086))
      #expect(double.bytes == HandmadeRecord.picture(3, scale: 2))
    }
  }
}
