// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import Foundation
import HTTPTypes
import HummingbirdTesting
import LongboxCore
import NIOCore
import Testing
import TestSupport

@testable import LongboxCatalog
@testable import LongboxServer

@Suite("A picture of a size that the address names", .timeLimit(.minutes(10))) struct CanvasTests {
  /// What the head of a PNG file says.
  struct Head: Equatable {
    var width: Int
    var height: Int
    var bits: UInt8
    /// 0 for grey, 2 for red, green and blue.
    var colourType: UInt8

    init(width: Int, height: Int, bits: UInt8, colourType: UInt8) {
      (self.width, self.height, self.bits, self.colourType) = (width, height, bits, colourType)
    }

    init?(of bytes: [UInt8]) {
      guard bytes.count > 26, bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) else { return nil }
      func number(at index: Int) -> Int { bytes[index..<index + 4].reduce(0) { $0 << 8 | Int($1) } }
      self.init(width: number(at: 16), height: number(at: 20), bits: bytes[24], colourType: bytes[25])
    }
  }

  private struct Body: Decodable {
    var detail: String
    var parameter: String?
  }

  /// Comic 6 has 9 by 4 pixels.
  @Test(arguments: [
    ("?width=80&height=48&levels=4", Head(width: 80, height: 48, bits: 2, colourType: 0)),
    ("?width=80&height=48&levels=2", Head(width: 80, height: 48, bits: 1, colourType: 0)),
    ("?width=80&height=48&levels=16", Head(width: 80, height: 48, bits: 4, colourType: 0)),
    ("?width=80&height=48&levels=8", Head(width: 80, height: 48, bits: 8, colourType: 0)),
    ("?height=48&width=80&levels=256", Head(width: 80, height: 48, bits: 8, colourType: 0)),
    ("?width=80&height=48", Head(width: 80, height: 48, bits: 8, colourType: 2)),
    ("?width=18", Head(width: 18, height: 8, bits: 8, colourType: 2)),
    ("?height=2", Head(width: 5, height: 2, bits: 8, colourType: 2)),
    ("", Head(width: 9, height: 4, bits: 8, colourType: 2)),
    ("?width=1&height=1&levels=2", Head(width: 1, height: 1, bits: 1, colourType: 0)),
    ("?width=2048&height=2048&levels=2", Head(width: 2048, height: 2048, bits: 1, colourType: 0)),
  ])
  func `has this size, and no more bits than its greys need`(query: String, head: Head) async throws {
    try await withServer(storing: 6...6) { bench async throws in
      let answer = try await bench.get("/latest.png\(query)")
      #expect(answer.status == .ok && answer.headers[.contentType] == "image/png")
      #expect(Head(of: answer.bytes) == head)
    }
  }

  @Test func `is the latest comic's, or a random one's`() async throws {
    try await withServer { bench async throws in
      let latest = try await bench.get("/latest.png")
      #expect(latest.headers[.cacheControl] == "no-cache")
      let random = try await bench.get("/random.png?width=40&height=30")
      #expect(random.status == .ok && random.headers[.cacheControl] == "no-store")
      #expect(Head(of: random.bytes) == Head(width: 40, height: 30, bits: 8, colourType: 2))
    }
  }

  @Test func `is made once, and sent again only if it has changed`() async throws {
    try await withServer(storing: 5...6) { bench async throws in
      let path = "/latest.png?width=80&height=48&levels=4"
      let first = try await bench.get(path)
      let tag = try #require(first.headers[.eTag])
      #expect(try await bench.get(path).bytes == first.bytes)
      let canvases = bench.back.catalog.shown.pictures.canvases
      #expect(canvases.statistics.hits == 1 && canvases.statistics.cost > first.bytes.count)
      let again = try await bench.get(path, [.ifNoneMatch: tag])
      #expect(again.status == .notModified && again.body.readableBytes == 0)
      for other in ["?width=80&height=48&levels=2", "?width=80&height=47&levels=4", "?width=80&height=48"] {
        #expect(try await bench.get("/latest.png\(other)").headers[.eTag] != tag, "\(other)")
      }
    }
  }

  @Test(arguments: [
    ("width=0", "width"), ("width=2049", "width"), ("height=-1", "height"), ("height=x", "height"),
    ("width=080", "width"), ("levels=3", "levels"), ("levels=1", "levels"), ("levels=1000000", "levels"),
    ("depth=4", "depth"), ("width=1&width=2", "width"), ("width=", "width"),
  ])
  func `names what is wrong in an address`(query: String, parameter: String) async throws {
    try await withServer { bench async throws in
      for path in ["/latest.png", "/random.png"] {
        let answer = try await bench.get("\(path)?\(query)")
        #expect(answer.status == .badRequest)
        let problem = try JSONDecoder().decode(Body.self, from: Data(answer.bytes))
        #expect(problem.parameter == parameter && !problem.detail.isEmpty)
      }
    }
  }

  @Test func `is missing for a comic that only works on xkcd.com`() async throws {
    let xkcd = FakeXkcd(latest: 6)
    xkcd.set(HandmadeRecord.raw(6, image: ""), for: 6)
    try await withServer(xkcd) { bench async throws in
      let answer = try await bench.get("/latest.png")
      #expect(answer.status == .notFound)
      let problem = try JSONDecoder().decode(Body.self, from: Data(answer.bytes))
      #expect(problem.detail == "Comic 6 only works on xkcd.com.")
    }
  }
}
