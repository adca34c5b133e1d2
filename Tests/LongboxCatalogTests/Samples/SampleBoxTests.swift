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

@Suite("The sample box", .timeLimit(.minutes(10))) struct SampleBoxTests {
  private let xkcd = FakeXkcd(latest: 3)

  private func goDown() { xkcd.setEverywhere(.failure(.unreachable(.xkcd, reason: "there is no network"))) }

  @Test func `is shown where nothing is stored and xkcd is unreachable`() async throws {
    goDown()
    try await withCatalog(xkcd) { bench async throws in
      await bench.prepareOrShowSamples()
      let archive = bench.catalog.snapshot.archive
      #expect(archive.isSampleBox)
      #expect(archive.count >= 12)
      var pictures = 0
      for value in 1...archive.count {
        let number = try #require(Comic.Number(value))
        let comic = try #require(archive.comic(number))
        #expect(!comic.title.isEmpty)
        #expect(!comic.alt.isEmpty)
        #expect(!comic.transcript.isEmpty)
        let facts = try #require(comic.picture, "comic \(value)")
        let picture = try await bench.catalog.picture(.standard, of: number)
        #expect(picture.bytes.count == facts.byteCount)
        #expect(try await bench.catalog.picture(.thumbnail, of: number).mediaType == "image/webp")
        if facts.doubleSize == .present {
          #expect(try await bench.catalog.picture(.doubleSize, of: number).bytes.count > 0)
          pictures += 1
        }
        #expect(try await bench.catalog.rawRecord(number).isEmpty == false)
        guard case .stored(let explanation) = try await bench.catalog.explanation(of: number) else {
          Issue.record("comic \(value) is not explained")
          continue
        }
        #expect(!explanation.lead.isEmpty && explanation.date == nil)
      }
      #expect(pictures >= 12)
      #expect(bench.catalog.comics.current.archive.count == 0)
    }
  }

  @Test func `is replaced by the real comics when xkcd is back, for good`() async throws {
    goDown()
    let folder = TemporaryFolder()
    try await withCatalog(xkcd, in: folder) { bench async throws in
      await bench.prepareOrShowSamples()
      let samples = bench.catalog.snapshot
      #expect(samples.downSince != nil)
      xkcd.setEverywhere(nil)
      try await bench.catalog.refresher.checkNewest()
      let real = bench.catalog.snapshot
      #expect(!real.archive.isSampleBox)
      #expect(real.archive.latest?.number.value == 3)
      #expect(real.generation > samples.generation)
      await bench.catalog.discardStandIn()
      #expect(bench.catalog.snapshot.generation > real.generation)
      #expect(!FileManager.default.fileExists(atPath: folder.path("samples").path))
      goDown()
      await #expect(throws: CatalogError.self) { try await bench.catalog.refresher.checkNewest() }
      #expect(!bench.catalog.snapshot.archive.isSampleBox)
    }
    try await withCatalog(xkcd, in: folder) { bench async throws in
      await bench.prepareOrShowSamples()
      #expect(!bench.catalog.snapshot.archive.isSampleBox)
      #expect(bench.catalog.snapshot.archive.count == 1)
    }
  }

  @Test func `is shown where xkcd is too slow at the first start`() async throws {
    xkcd.hold("/info.0.json")
    try await withCatalog(xkcd, settings: .init(timeout: .milliseconds(5))) { bench async throws in
      await bench.prepareOrShowSamples()
      #expect(bench.catalog.snapshot.archive.isSampleBox)
      xkcd.release("/info.0.json")
      await eventually { !bench.catalog.snapshot.archive.isSampleBox }
      #expect(bench.catalog.snapshot.archive.latest?.number.value == 3)
    }
  }

  @Test func `is not opened where xkcd answers or something is stored`() async throws {
    let folder = TemporaryFolder()
    try await withCatalog(xkcd, in: folder) { bench async throws in
      await bench.prepareOrShowSamples()
      #expect(bench.catalog.snapshot.archive.latest?.number.value == 3)
      #expect(!FileManager.default.fileExists(atPath: folder.path("samples").path))
    }
    _ = xkcd.takePaths()
    try await withCatalog(xkcd, in: folder) { await $0.prepareOrShowSamples() }
    #expect(xkcd.takePaths() == [], "A start with comics sends no request before it serves.")
  }

  @Test func `can be missing from the installation`() async throws {
    goDown()
    try await withCatalog(xkcd) { bench async throws in
      await bench.prepareOrShowSamples(from: nil)
      #expect(bench.catalog.snapshot.archive.count == 0)
      await bench.prepareOrShowSamples(from: bench.folder.path("nowhere"))
      #expect(bench.catalog.snapshot.archive.count == 0)
    }
  }

  @Test(arguments: [
    "/comics/../records.jsonl", "/comics/.hidden", "/comics/", "/comics/%2e%2e", "/comics/a/b.png",
    "/999/info.0.json",
    "/", "",
  ])
  func `serves no other file from the disk`(target: String) async throws {
    let folder = try #require(SampleBox.folder)
    var address = try #require(WebAddress("https://xkcd.com/"))
    address.target = target
    let exchange = Exchange(
      source: .xkcd,
      subject: "a file",
      address: address,
      byteLimit: 1 << 20,
      timeLimit: .seconds(60)
    )
    #expect(try await SampleBox.transport(from: folder).send(exchange).status == 404)
  }
}
