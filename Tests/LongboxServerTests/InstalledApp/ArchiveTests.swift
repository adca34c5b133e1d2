// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import HTTPTypes
import HummingbirdTesting
import LongboxCatalog
import LongboxCore
import NIOCore
import Testing

@testable import LongboxServer

extension ServerBench {
  fileprivate var archive: Archive { back.catalog.snapshot.archive }

  /// The address at which a device updates its copy.
  fileprivate func address(since revision: Int, rules: Int? = nil, samples: Int = 0) -> String {
    "/archive?since=\(revision)&rules=\(rules ?? archive.rules)&samples=\(samples)"
  }

  fileprivate func segment(_ path: String) async throws -> Segment {
    let answer = try await get(path)
    #expect(answer.status == .ok, "\(path)")
    #expect(answer.headers[.contentType] == "application/octet-stream")
    #expect(answer.headers[.cacheControl] == "no-cache")
    return try Segment(answer.bytes)
  }

  fileprivate func change(_ number: Int, to title: String) async throws {
    xkcd.set(HandmadeRecord.raw(number, title: title), for: number)
    try await back.catalog.reload(Comic.Number(of: number))
  }
}

extension Archive {
  fileprivate var comics: [Comic] {
    var comics: [Comic] = []
    visit { archived in
      if let comic = archived.comic { comics.append(comic) }
      return true
    }
    return comics
  }
}

@Suite("The archive for a device", .timeLimit(.minutes(10))) struct ArchiveTests {
  @Test func `is complete in one segment for a new device`() async throws {
    try await withServer { bench async throws in
      try await bench.change(2, to: "Toast")
      for path in ["/archive", bench.address(since: 0), "/archive?since=x&rules=&samples=2"] {
        let archive = try await Archive(bench.segment(path))
        #expect(archive.revision == bench.archive.revision)
        #expect(archive.comics == bench.archive.comics)
        #expect(archive.comics.count == 6)
      }
    }
  }

  @Test func `is a delta for a device with a copy`() async throws {
    try await withServer { bench async throws in
      let copy = try await Archive(bench.segment("/archive"))
      try await bench.change(2, to: "Toast")
      let delta = try await bench.segment(bench.address(since: copy.revision))
      #expect(delta.base == copy.revision)
      #expect(delta.count == 1)
      let updated = try copy.adding(delta)
      #expect(updated.revision == bench.archive.revision)
      #expect(updated.comics == bench.archive.comics)
    }
  }

  @Test func `is empty for a device with a current copy`() async throws {
    try await withServer { bench async throws in
      let answer = try await bench.get(bench.address(since: bench.archive.revision))
      #expect(answer.status == .noContent)
      #expect(answer.body.readableBytes == 0)
      #expect(answer.headers[.cacheControl] == "no-cache")
    }
  }

  @Test func `is complete if a delta is not possible`() async throws {
    try await withServer { bench async throws in
      let before = bench.archive.revision
      try await bench.change(2, to: "Toast")
      let rules = bench.archive.rules
      let others = [
        bench.address(since: bench.archive.revision + 1),
        bench.address(since: before, rules: rules + 1),
        bench.address(since: bench.archive.revision, rules: rules - 1),
        bench.address(since: before, samples: 1),
        bench.address(since: -1),
      ]
      for path in others {
        let segment = try await bench.segment(path)
        #expect(segment.base == 0, "\(path)")
        #expect(segment.count == 6, "\(path)")
      }
    }
  }

  @Test func `is complete if half of it has changed`() async throws {
    try await withServer { bench async throws in
      let before = bench.archive.revision
      for number in 1...3 { try await bench.change(number, to: "Toast \(number)") }
      #expect(try await bench.segment(bench.address(since: before)).base == 0)
    }
  }

  @Test func `is not sent again until it changes`() async throws {
    try await withServer { bench async throws in
      let tag = try #require(try await bench.get("/archive").headers[.eTag])
      #expect(try await bench.get("/archive", [.ifNoneMatch: tag]).status == .notModified)
      let packed = try await bench.get("/archive", [.acceptEncoding: "gzip"])
      #expect(packed.headers[.contentEncoding] == "gzip")
      #expect(packed.headers[.eTag] != tag)
      #expect(packed.headers[.vary] == "Accept-Encoding")
      try await bench.change(2, to: "Toast")
      let after = try await bench.get("/archive", [.ifNoneMatch: tag])
      #expect(after.status == .ok)
      #expect(try Archive(Segment(after.bytes)).comics == bench.archive.comics)
    }
  }

  @Test func `caches deltas from different revisions separately`() async throws {
    try await withServer { bench async throws in
      let first = bench.archive.revision
      try await bench.change(2, to: "Toast")
      let second = bench.archive.revision
      try await bench.change(3, to: "Crumbs")
      for _ in 1...2 {
        let older = try await bench.segment(bench.address(since: first))
        let newer = try await bench.segment(bench.address(since: second))
        #expect((older.base, older.count) == (first, 2))
        #expect((newer.base, newer.count) == (second, 1))
      }
    }
  }

  @Test(arguments: [ContentCoding.brotli, .gzip])
  func `is the same in each coding, both complete and as a delta`(coding: ContentCoding) async throws {
    try await withServer { bench async throws in
      let before = bench.archive.revision
      try await bench.change(2, to: String(repeating: "Toast, and more toast. ", count: 40))
      for path in ["/archive", bench.address(since: before)] {
        let plain = try await bench.get(path)
        #expect(plain.headers[.contentEncoding] == nil)
        #expect(plain.headers[.vary] == "Accept-Encoding")
        for _ in 1...2 {
          let answer = try await bench.get(path, [.acceptEncoding: coding.rawValue])
          #expect(answer.headers[.contentEncoding] == coding.rawValue, "\(path)")
          #expect(answer.headers[.vary] == "Accept-Encoding", "\(path)")
          #expect(answer.body.readableBytes < plain.body.readableBytes, "\(path)")
          #expect(try await decompressed(answer.bytes, coding) == plain.bytes, "\(path)")
          let tag = try #require(answer.headers[.eTag])
          let again: HTTPFields = [.acceptEncoding: coding.rawValue, .ifNoneMatch: tag]
          #expect(try await bench.get(path, again).status == .notModified, "\(path)")
          #expect(try await bench.get(path, [.ifNoneMatch: tag]).status == .ok, "\(path)")
        }
      }
    }
  }

  @Test func `is for devices, while a browser is sent to all comics`() async throws {
    try await withServer { bench async throws in
      for path in ["/archive", "/archive/", "/archive/?x=1"] {
        for headers: HTTPFields in [[.named("Sec-Fetch-Mode"): "navigate"], [.accept: "text/html,*/*;q=0.8"]]
        {
          let answer = try await bench.get(path, headers)
          #expect(answer.status == .seeOther, "\(path)")
          #expect(answer.headers[.location] == "/comics")
          #expect(answer.headers[.cacheControl] == "no-store", "a device asks at the same address")
        }
        let device = try await bench.get(path, [.named("Sec-Fetch-Mode"): "cors", .accept: "*/*"])
        #expect(device.headers[.contentType] == "application/octet-stream", "\(path)")
      }
    }
  }

  @Test func `is sent with brotli if the client accepts both codings`() async throws {
    try await withServer { bench async throws in
      let before = bench.archive.revision
      try await bench.change(2, to: "Toast")
      for path in ["/archive", bench.address(since: before)] {
        let answer = try await bench.get(path, [.acceptEncoding: "gzip, deflate, br, zstd"])
        #expect(answer.headers[.contentEncoding] == "br", "\(path)")
      }
    }
  }
}
