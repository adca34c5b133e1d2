// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import Foundation
import LongboxCore
import LongboxStore
import LongboxUpstream
import Testing

@testable import LongboxCatalog

@Suite(.timeLimit(.minutes(10))) struct `Larger versions` {
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
