// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import Foundation
import LongboxCore
import LongboxStore
import TestSupport
import Testing

@testable import LongboxCatalog

@Suite("Repairing stored pictures", .timeLimit(.minutes(10))) struct RepairTests {
  private let xkcd = FakeXkcd(latest: 3)
  private let two = Comic.Number(of: 2)

  /// What an older Longbox would have stored for the picture of comic 2.
  private let oldFacts = PictureFacts(width: 1, height: 1, byteCount: 1, format: .gif, lightness: 7)

  private func repair(_ bench: CatalogBench) async throws {
    var steps = 0
    while try await bench.catalog.comics.pictures.inspectNextAgain() {
      steps += 1
      try #require(steps < 10)
    }
  }

  @Test func `computes facts of older rules again, without a request to xkcd`() async throws {
    try await withCatalog(xkcd) { bench async throws in
      try await bench.bringEverything()
      let facts = try #require(bench.comic(2)?.picture)
      try await bench.store.pictures.save(oldFacts, rulesVersion: 0, thumbnail: [1, 2, 3], of: two)
      try await bench.catalog.comics.publisher.publish()
      #expect(bench.comic(2)?.picture?.lightness == 7)
      _ = xkcd.takePaths()
      try await repair(bench)
      #expect(bench.comic(2)?.picture == facts)
      #expect(try await bench.catalog.picture(.thumbnail, of: two).bytes.count > 3)
      #expect(xkcd.takePaths() == [])
    }
  }

  @Test(arguments: [true, false])
  func `fetches a picture again that is damaged on the disk`(fills: Bool) async throws {
    try await withCatalog(xkcd) { bench async throws in
      try await bench.bringEverything()
      let picture = try await bench.catalog.picture(.standard, of: two)
      let noise = [UInt8](repeating: 9, count: picture.bytes.count)
      try bench.folder.write(noise, to: "pictures/\(picture.name)")
      try await bench.store.pictures.save(oldFacts, rulesVersion: 0, thumbnail: nil, of: two)
      bench.catalog.comics.pictureCache.forget(two)
      try await repair(bench)
      _ = xkcd.takePaths()
      if fills { try await bench.fill() }
      #expect(try await bench.catalog.picture(.standard, of: two) == picture)
      #expect(xkcd.takePaths().contains("/comics/bread_2.png"))
    }
  }

  @Test func `fetches a picture again that is missing from the disk`() async throws {
    try await withCatalog(xkcd) { bench async throws in
      try await bench.bringEverything()
      let picture = try await bench.catalog.picture(.standard, of: two)
      try FileManager.default.removeItem(at: bench.folder.path("pictures/\(picture.name)"))
      try await bench.store.pictures.save(oldFacts, rulesVersion: 0, thumbnail: nil, of: two)
      bench.catalog.comics.pictureCache.forget(two)
      try await repair(bench)
      try await bench.fill()
      #expect(try await bench.catalog.picture(.standard, of: two) == picture)
    }
  }

  @Test func `keeps a new picture that replaces the old one during its inspection`() async throws {
    let data = TemporaryFolder()
    try await withCatalog(xkcd, in: data) { bench async throws in try await bench.bringEverything() }
    let folder = TemporaryFolder()
    let (started, go) = (folder.path("started").path, folder.path("go").path)
    let real = Bundle.main.bundleURL.appending(path: "longbox-pictures").path
    let script = ": >'\(started)'\nuntil [ -e '\(go)' ]; do sleep 0.01; done\nexec '\(real)'"
    let program = try await folder.write(program: script, to: "slow")
    var limits = PictureInspector.Limits()
    limits.startTime = .seconds(600)
    let slow = PictureInspector(program: program, limits: limits, logger: .silent)
    try await withCatalog(xkcd, in: data, inspector: slow) { bench async throws in
      let inspection = Task {
        try await bench.catalog.comics.pictures.inspectAgain(Comic.Number(of: 2), in: bench.store)
      }
      await eventually { FileManager.default.fileExists(atPath: started) }
      let new = try await CatalogBench.inspector.fetchedPicture(HandmadeRecord.picture(99), of: two)
      try await bench.store.pictures.save([new])
      try folder.write([], to: "go")
      try await inspection.value
      #expect(bench.comic(2)?.picture?.width == new.facts.width)
      #expect(try await bench.catalog.picture(.standard, of: two).bytes == new.bytes)
      #expect(try await bench.catalog.picture(.thumbnail, of: two).bytes == new.thumbnail)
    }
  }
}
