// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import Foundation
import HTTPTypes
import HummingbirdTesting
import LongboxCatalog
import NIOCore
import LongboxUpstream
import Testing
import TestSupport

@testable import LongboxServer

@Suite("A picture", .timeLimit(.minutes(10))) struct PictureTests {
  private let picture = HandmadeRecord.picture(3)

  @Test func `is sent with the headers that range requests need`() async throws {
    try await withServer(storing: 3...3) { bench async throws in
      let answer = try await bench.get("/comics/3/image")
      #expect(answer.bytes == picture)
      #expect(answer.headers[.acceptRanges] == "bytes")
      #expect(answer.headers[.eTag]?.hasPrefix("\"") == true)
    }
  }

  @Test func `that comes late is not waited for by its page, but by its own request`() async throws {
    let xkcd = FakeXkcd(latest: 6)
    let clock = PausedClock()
    let path = "/comics/bread_3.png"
    xkcd.hold(path)
    try await withServer(xkcd, storing: 5...6, pictureWait: (.milliseconds(300), clock)) {
      bench async throws in
      async let asked = bench.get("/3/")
      await xkcd.arrival(at: path)
      clock.wake()
      let page = try await asked
      #expect(page.status == .ok && page.text.contains("Bread 3"))
      #expect(page.text.contains("picture plain unsized") && page.text.contains("src=\"/comics/3/image\""))
      async let image = bench.get("/comics/3/image")
      xkcd.release(path)
      #expect(try await image.bytes == picture)
      // The page's request was joined, and nothing counts as failed.
      #expect(xkcd.takePaths().filter { $0 == path }.count == 1)
      // The archive has the size a moment after the picture.
      try await eventually { try await bench.get("/3/").text.contains("width=\"6\" height=\"4\"") }
      #expect(try await !bench.get("/3/").text.contains("unsized"))
      #expect(bench.back.catalog.snapshot.downSince == nil)
    }
  }

  @Test func `is sent in the requested range`() async throws {
    try await withServer(storing: 3...3) { bench async throws in
      let count = picture.count
      let ranges = [("0-9", 0..<10), ("10-", 10..<count), ("-7", count - 7..<count), ("5-9999", 5..<count)]
      for (text, range) in ranges {
        let answer = try await bench.get("/comics/3/image", [.range: "bytes=\(text)"])
        #expect(answer.status == .partialContent)
        #expect(answer.bytes == Array(picture[range]))
        #expect(
          answer.headers[.contentRange] == "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(count)"
        )
      }
    }
  }

  @Test func `is not sent for a range outside of it`() async throws {
    try await withServer(storing: 3...3) { bench async throws in
      let answer = try await bench.get("/comics/3/image", [.range: "bytes=\(picture.count)-"])
      #expect(answer.status == .rangeNotSatisfiable)
      #expect(answer.headers[.contentRange] == "bytes */\(picture.count)")
      #expect(answer.body.readableBytes == 0)
    }
  }

  @Test func `is sent in ranges only if it is the picture that the client has begun`() async throws {
    try await withServer(storing: 3...3) { bench async throws in
      let tag = try #require(try await bench.get("/comics/3/image").headers[.eTag])
      func status(_ ifRange: String) async throws -> Int {
        try await bench.get("/comics/3/image", [.range: "bytes=0-1", .ifRange: ifRange]).status.code
      }
      #expect(try await status(tag) == 206)
      #expect(try await status("\"another\"") == 200)
      #expect(try await status("W/\(tag)") == 200, "RFC 9110, 13.1.5: a weak tag never matches here.")
      #expect(try await status("Fri, 15 Jan 2027 12:00:00 GMT") == 200)
      let both = try await bench.get("/comics/3/image", [.range: "bytes=0-1", .ifNoneMatch: tag])
      #expect(both.status == .notModified)
    }
  }

  @Test func `is fetched once if it is not stored`() async throws {
    try await withServer(storing: 6...6) { bench async throws in
      #expect(try await bench.get("/comics/2/image").bytes == HandmadeRecord.picture(2))
      #expect(bench.xkcd.takePaths() == ["/2/info.0.json", "/comics/bread_2.png"])
      #expect(try await bench.get("/comics/2/image").status == .ok)
      #expect(try await bench.get("/comics/2/thumbnail").headers[.contentType] == "image/webp")
      #expect(bench.xkcd.takePaths() == [])
    }
  }

  /// A fault at xkcd, and the resulting status.
  @Test(arguments: [
    (FakeXkcd.Trouble.status(404), 404), (.status(500), 503), (.status(503, retryAfter: "60"), 503),
    (.status(429), 503), (.status(403), 503), (.status(418), 502), (.body([1, 2]), 502), (.body([]), 502),
    (.body(Array("<html></html>".utf8)), 502), (.failure(.timedOut(.xkcd, subject: "picture")), 504),
    (.failure(.unreachable(.xkcd, reason: "no route")), 503),
  ])
  func `is an error if xkcd fails`(trouble: FakeXkcd.Trouble, status: Int) async throws {
    let time = SettableTime()
    try await withServer(storing: 6...6, time: time) { bench async throws in
      bench.xkcd.set(trouble, at: "/comics/bread_2.png")
      let answer = try await bench.get("/comics/2/image")
      #expect(answer.status.code == status)
      #expect((answer.headers[.retryAfter] != nil) == (status == 503))
      #expect(answer.text.contains(status < 500 ? "message" : "<svg"))
      #expect(answer.headers[.cacheControl]?.contains("immutable") != true)
      _ = bench.xkcd.takePaths()
      for _ in 0..<5 { #expect(try await bench.get("/comics/2/image").status.code == status) }
      #expect(bench.xkcd.takePaths() == [], "xkcd is not asked again so soon.")
      bench.xkcd.set(nil, at: "/comics/bread_2.png")
      time.advance(by: 60)
      #expect(try await bench.get("/comics/2/image").bytes == HandmadeRecord.picture(2))
    }
  }
}
