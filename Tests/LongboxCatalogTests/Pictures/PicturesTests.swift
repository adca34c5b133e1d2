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

@Suite("Fetched pictures", .timeLimit(.minutes(10))) struct FetchedPicturesTests {
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
    let limiter = RequestLimiter(limit: 1_000, span: .seconds(1), clock: ContinuousClock())
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

@Suite("Double-size pictures", .timeLimit(.minutes(10))) struct DoubleSizeTests {
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

@Suite("Larger versions", .timeLimit(.minutes(10))) struct LargerVersionTests {
  private let xkcd = FakeXkcd(latest: 4)
  private let three = Comic.Number(of: 3)
  private let large = HandmadeRecord.picture(3, scale: 5)

  /// Lets a comic link to an address, and xkcd have a page there with a picture.
  private func link(_ number: Int, to link: String, _ picture: [UInt8]?) {
    let raw = String(decoding: HandmadeRecord.raw(number), as: UTF8.self)
    xkcd.set(Array(raw.replacing(#""link": """#, with: #""link": "\#(link)""#).utf8), for: number)
    let page = "<a href=\"/\(number)/\"><img src=\"https://imgs.xkcd.com/comics/large_\(number).png\"></a>"
    xkcd.set(.body(Array(page.utf8)), at: "/\(number)/large/")
    xkcd.set(picture: picture, named: "large_\(number).png")
  }

  @Test func `are fetched by the fill after everything else, and once`() async throws {
    link(3, to: "https://xkcd.com/3/large/", large)
    try await withCatalog(xkcd) { bench async throws in
      try await bench.bringEverything()
      #expect(xkcd.takePaths().suffix(2) == ["/3/large/", "/comics/large_3.png"])
      #expect(bench.comic(3)?.picture?.larger == .present)
      #expect(bench.comic(2)?.picture?.larger == .unknown)
      #expect(try await bench.catalog.picture(.larger, of: three).bytes == large)
      #expect(try await bench.store.fetches.failures().isEmpty)
      _ = xkcd.takePaths()
      try await bench.bringEverything()
      #expect(xkcd.takePaths().filter { $0.contains("large") }.isEmpty)
    }
  }

  @Test func `are fetched for a reader who opens one before`() async throws {
    link(3, to: "https://xkcd.com/3/large/", large)
    try await withCatalog(xkcd) { bench async throws in
      try await bench.catalog.refresher.checkNewest()
      #expect(try await bench.catalog.picture(.larger, of: three).bytes == large)
      await #expect(throws: CatalogError.absent) {
        try await bench.catalog.picture(.larger, of: Comic.Number(of: 2))
      }
      #expect(!xkcd.takePaths().contains("/2/large/"))
    }
  }

  @Test(arguments: [
    "https://xkcd.com/3/large.pdf", "https://example.com/3/large/", "https://xkcd.com/2/large/",
  ])
  func `are not requested where the link leads to something else`(address: String) async throws {
    link(3, to: address, large)
    try await withCatalog(xkcd) { bench async throws in
      try await bench.bringEverything()
      #expect(xkcd.takePaths().filter { $0.contains("large") }.isEmpty)
      await #expect(throws: CatalogError.absent) { try await bench.catalog.picture(.larger, of: three) }
    }
  }

  @Test func `are not kept with more pixels than a browser can show`() async throws {
    var huge = large
    // The width and the height in a PNG's first chunk.
    huge.replaceSubrange(16..<24, with: [0, 0, 0x30, 0, 0, 0, 0x20, 0])
    link(3, to: "https://xkcd.com/3/large/", huge)
    try await withCatalog(xkcd) { bench async throws in
      try await bench.bringEverything()
      #expect(bench.comic(3)?.picture?.larger == .tooLarge)
      await #expect(throws: CatalogError.absent) { try await bench.catalog.picture(.larger, of: three) }
      #expect(try await bench.store.pictures.picture(.larger, of: three) == nil)
    }
  }

  @Test(arguments: [true, false])
  func `are absent where there is no picture, or no larger one`(hasPicture: Bool) async throws {
    link(3, to: "https://xkcd.com/3/large/", hasPicture ? HandmadeRecord.picture(3) : nil)
    try await withCatalog(xkcd) { bench async throws in
      try await bench.bringEverything()
      #expect(bench.comic(3)?.picture?.larger == .absent)
      #expect(try await bench.store.fetches.failures().isEmpty)
    }
  }
}
