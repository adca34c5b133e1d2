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

@Suite(.timeLimit(.minutes(10))) struct `Fetched pictures` {
  private let xkcd = FakeXkcd(latest: 1_090, from: 1_088)
  private let number = Comic.Number(of: 1_089)

  private static let unwanted: [[UInt8]] = [
    Array(Pictures.gif.dropLast(5)), Array(Pictures.jpeg.dropLast(1)), Array(Pictures.png.dropLast(20)), [],
    Array("<html>Sign in</html>".utf8), HandmadePicture.bomb(50_000, 50_000),
  ]

  /// An inspector without its program.
  private var without: PictureInspector {
    PictureInspector(program: URL(filePath: "/nowhere/longbox-pictures"), logger: .silent)
  }

  @Test(arguments: unwanted)
  func `are rejected unless they are whole`(bytes: [UInt8]) async throws {
    xkcd.set(picture: bytes, named: "bread_1089.png")
    try await withCatalog(xkcd) { bench async throws in
      try await bench.catalog.refresher.checkNewest()
      await #expect(throws: CatalogError.self) { try await bench.catalog.picture(.standard, of: number) }
      #expect(try await bench.status(of: .picture, 1_089).state == .failed)
      #expect(try await bench.store.pictures.picture(.standard, of: number) == nil)
    }
  }

  @Test(arguments: unwanted)
  func `of double size are rejected unless they are whole`(bytes: [UInt8]) async throws {
    xkcd.set(picture: bytes, named: "bread_1089_2x.png")
    try await withCatalog(xkcd) { bench async throws in
      try await bench.catalog.refresher.checkNewest()
      await #expect(throws: CatalogError.self) { try await bench.catalog.picture(.doubleSize, of: number) }
      #expect(try await bench.status(of: .doubleSize, 1_089).state == .failed)
      #expect(try await bench.store.pictures.picture(.doubleSize, of: number) == nil)
    }
  }

  @Test func `are shown as they came while nothing can decode them`() async throws {
    let double = HandmadePicture.png(18, 16) { _, _ in [9, 9, 9] }
    xkcd.set(picture: Pictures.jpeg, named: "bread_1089.png")
    xkcd.set(picture: double, named: "bread_1089_2x.png")
    let folder = TemporaryFolder()
    try await withCatalog(xkcd, in: folder, inspector: without) { bench async throws in
      try await bench.catalog.refresher.checkNewest()
      #expect(try await bench.catalog.picture(.standard, of: number).bytes == Pictures.jpeg)
      #expect(try await bench.catalog.picture(.doubleSize, of: number).mediaType == "image/png")
      await #expect(throws: CatalogError.absent) { try await bench.catalog.picture(.thumbnail, of: number) }
      #expect(bench.comic(1_089)?.picture?.width == 9)
      #expect(bench.comic(1_089)?.picture?.colourPermille == 1000)
      #expect(try await !bench.catalog.comics.pictures.inspectNextAgain())
      _ = xkcd.takePaths()
      #expect(try await bench.catalog.picture(.standard, of: number).bytes == Pictures.jpeg)
      #expect(xkcd.takePaths() == [])
    }
    try await withCatalog(xkcd, in: folder) { bench async throws in
      while try await bench.catalog.comics.pictures.inspectNextAgain() {}
      #expect(bench.comic(1_089)?.picture?.colourPermille == 0)
      #expect(try await bench.catalog.picture(.thumbnail, of: number).mediaType == "image/webp")
    }
    #expect(xkcd.takePaths() == [])
  }

  @Test func `are imported as they came while nothing can decode them`() async throws {
    let (source, folder) = (TemporaryFolder(), TemporaryFolder())
    try source.write(HandmadeRecord.raw(3), to: "comics.jsonl")
    try source.write(Pictures.png, to: "images/bread_3.png")
    let store = try Store.open(folder.url)
    let importer = Importer(store: store, inspector: without, now: { SettableTime.start })
    let report = try await importer.run(ImportFolder(path: source.url.path))
    #expect(report.pictures.new == 1 && report.skipped.isEmpty)
    #expect(
      try await store.pictures.picture(.standard, of: Comic.Number(of: 3))?.byteCount == Pictures.png.count
    )
    try await store.closeOnNewThread()
  }

  @Test(arguments: unwanted + [HandmadePicture.png(2_001, 2_000, colourType: 0) { _, _ in [0] }])
  func `of albums are rejected unless they are whole`(bytes: [UInt8]) async throws {
    try await withCovers(bytes) { albums, album async throws in
      let error = await #expect(throws: CatalogError.self) {
        try await albums.cover(.cover, of: album, within: .seconds(600))
      }
      guard case .upstream(.malformed(.artwork, _)) = error else {
        Issue.record("thrown: \(String(describing: error))")
        return
      }
    }
  }

  @Test(arguments: [Pictures.png, Pictures.jpeg, Pictures.gif])
  func `of albums are stored if they are whole`(bytes: [UInt8]) async throws {
    try await withCovers(bytes) { albums, album async throws in
      #expect(try await albums.cover(.cover, of: album, within: .seconds(600)).bytes == bytes)
    }
  }

  /// Albums of a store that sends these bytes for every cover.
  private func withCovers(_ bytes: [UInt8], _ body: (Albums, StoreID) async throws -> Void) async throws {
    let folder = TemporaryFolder()
    let store = try Store.open(folder.url)
    let album = try #require(StoreID(70))
    let reply = StoredReply(body: Array("{\"results\":[]}".utf8), fetchedAt: SettableTime.start)
    let address = "https://is1-ssl.mzstatic.com/image/70/100x100bb.jpg"
    try await store.albums.save(reply, kind: .tracks, to: "tracks/us/70", artwork: [album: address])
    let transport = Transport { exchange throws(UpstreamError) in
      Reply(status: 200, body: bytes, address: exchange.address)
    }
    let limiter = SlidingWindowLimiter(limit: 1_000, span: .seconds(1), clock: ContinuousClock())
    let albums = Albums(
      store: store,
      client: ITunesClient(transport: transport, artwork: transport, limiter: limiter),
      wikipedia: nil,
      inspector: CatalogBench.inspector,
      settings: Albums.Settings(),
      now: { SettableTime.start },
      logger: .silent
    )
    try await body(albums, album)
    try await store.closeOnNewThread()
  }
}
