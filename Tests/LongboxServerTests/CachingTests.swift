// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import Foundation
import HTTPTypes
import HummingbirdTesting
import LongboxCatalog
import LongboxCore
import NIOCore
import Testing
import TestSupport

@testable import LongboxServer

@Suite("Browser caching", .timeLimit(.minutes(10))) struct CachingTests {
  @Test(arguments: [
    "/", "/6/", "/comics", "/about", "/info.0.json", "/3/info.0.json", "/comics/3/image",
    "/comics/3/thumbnail", "/assets/style.css",
  ])
  func `avoids sending content again`(path: String) async throws {
    try await withServer { bench async throws in
      let first = try await bench.get(path)
      let tag = try #require(first.headers[.eTag])
      for condition in [tag, "W/\(tag)", "\"other\", \(tag)", "*"] {
        let again = try await bench.get(path, [.ifNoneMatch: condition])
        #expect(again.status == .notModified, "\(condition)")
        #expect(again.body.readableBytes == 0)
        #expect(again.headers[.eTag] == tag)
        #expect(again.headers[.cacheControl] == first.headers[.cacheControl])
      }
      #expect(try await bench.get(path, [.ifNoneMatch: "\"other\""]).status == .ok)
    }
  }

  @Test func `has a rule in each response`() async throws {
    try await withServer { bench async throws in
      let keeping = [
        ("/", "no-cache"), ("/6/", "no-cache"), ("/comics", "no-cache"), ("/404/", "no-cache"),
        ("/random", "no-store"), ("/go?number=3", "no-store"), ("/6", "no-cache"), ("/healthz", "no-store"),
        ("/info.0.json", "public, max-age=300"), ("/assets/style.css", "no-cache"),
      ]
      for (path, value) in keeping {
        #expect(try await bench.get(path).headers[.cacheControl] == value, "\(path)")
      }
    }
  }

  @Test func `keeps a picture forever if its address has its version or the comic is old`() async throws {
    let time = SettableTime()
    let forGood = "public, max-age=31536000, immutable"
    try await withServer(time: time) { bench async throws in
      let version = try #require(bench.back.catalog.snapshot.archive.latest?.picture?.versionText)
      func keeping(_ path: String) async throws -> String? {
        try await bench.get(path).headers[.cacheControl]
      }
      #expect(try await keeping("/comics/6/image?v=\(version)") == forGood)
      #expect(try await keeping("/comics/6/thumbnail?v=\(version)") == forGood)
      #expect(try await keeping("/comics/6/image") == "public, max-age=300")
      #expect(try await keeping("/comics/6/image?v=00000000") == "public, max-age=300")
      time.advance(by: 8 * 86_400)
      #expect(try await keeping("/comics/6/image") == forGood)
    }
  }

  @Test func `keeps a file forever at the address on the page`() async throws {
    try await withServer(storing: 6...6) { bench async throws in
      let page = try await bench.get("/6/").text
      let found = try #require(page.firstMatch(of: /href="(\/assets\/style\.css\?v=[0-9a-z]+)"/))
      let file = try await bench.get(String(found.1))
      #expect(file.status == .ok)
      #expect(file.headers[.cacheControl] == "public, max-age=31536000, immutable")
    }
  }

  @Test func `keeps a picture forever at the address on the page`() async throws {
    try await withServer(storing: 6...6) { bench async throws in
      let page = try await bench.get("/6/").text
      let found = try #require(page.firstMatch(of: /src="(\/comics\/6\/image\?v=[0-9a-f]{8})"/))
      let file = try await bench.get(String(found.1))
      #expect(file.bytes == HandmadeRecord.picture(6))
      #expect(file.headers[.cacheControl]?.contains("immutable") == true)
      #expect(page.contains("width=\"9\" height=\"4\""))
    }
  }

  @Test func `notices a changed comic at once`() async throws {
    try await withServer { bench async throws in
      let before = try await bench.get("/3/")
      let tag = try #require(before.headers[.eTag])
      bench.xkcd.set(HandmadeRecord.raw(3, title: "Toast"), for: 3)
      try await bench.back.catalog.reload(Comic.Number(of: 3))
      let after = try await bench.get("/3/", [.ifNoneMatch: tag])
      #expect(after.status == .ok)
      #expect(after.text.contains("Toast"))
    }
  }
}

@Suite("Compressed responses", .timeLimit(.minutes(10))) struct CompressionTests {
  @Test(arguments: ["/", "/comics", "/assets/style.css"])
  func `are sent to clients that accept them, with their own entity tags`(path: String) async throws {
    try await withServer { bench async throws in
      let plain = try await bench.get(path)
      let gzip = try await bench.get(path, [.acceptEncoding: "gzip, deflate"])
      #expect(plain.headers[.contentEncoding] == nil)
      #expect(gzip.headers[.contentEncoding] == "gzip")
      #expect(gzip.bytes.starts(with: [0x1F, 0x8B]))
      #expect(gzip.body.readableBytes < plain.body.readableBytes)
      #expect(gzip.headers[.eTag] != plain.headers[.eTag])
      for answer in [plain, gzip] { #expect(answer.headers[.vary]?.contains("Accept-Encoding") == true) }
      let tag = try #require(gzip.headers[.eTag])
      let again = try await bench.get(path, [.acceptEncoding: "gzip", .ifNoneMatch: tag])
      #expect(again.status == .notModified)
      #expect(try await bench.get(path, [.ifNoneMatch: tag]).status == .ok)
      // RFC 1952: the last four bytes are the length before compression.
      let length = gzip.bytes.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
      #expect(length == plain.body.readableBytes)
    }
  }

  @Test(arguments: [
    ("/", "gzip"), ("/comics", "gzip"), ("/assets/style.css", "br"), ("/assets/app.js", "br"),
  ])
  func `use the best coding: gzip for rendered pages, brotli for files`(
    path: String,
    coding: String
  )
    async throws
  {
    try await withServer { bench async throws in
      let plain = try await bench.get(path)
      let answer = try await bench.get(path, [.acceptEncoding: "gzip, deflate, br, zstd"])
      #expect(answer.headers[.contentEncoding] == coding)
      #expect(answer.headers[.contentType] == plain.headers[.contentType])
      #expect(
        try await decompressed(answer.bytes, try #require(ContentCoding(rawValue: coding))) == plain.bytes
      )
    }
  }

  @Test func `don't include pictures`() async throws {
    try await withServer(storing: 3...3) { bench async throws in
      let answer = try await bench.get("/comics/3/image", [.acceptEncoding: "gzip"])
      #expect(answer.headers[.contentEncoding] == nil)
      #expect(answer.bytes == HandmadeRecord.picture(3))
    }
  }
}
