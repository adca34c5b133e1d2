// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@testable import longbox_replay

/// What the suites that use the stand-in rely on and can't see themselves.
@Suite struct SourcesTests {
  /// A validator for the second request, derived from the first response, and whether it is current.
  @Test(arguments: [
    (HTTPField.Name.ifNoneMatch, "ETAG", true), (.ifNoneMatch, "\"other\", W/ETAG", true),
    (.ifNoneMatch, "*", true), (.ifNoneMatch, "\"other\"", false), (.ifModifiedSince, "DATE", true),
    (.ifModifiedSince, "Fri, 27 Nov 2015 03:59:59 GMT", false), (.ifModifiedSince, "yesterday", false),
  ])
  func `answers 304 if it has not changed`(name: HTTPField.Name, value: String, isCurrent: Bool) async throws
  {
    try await withReplay { server async throws in
      let first = try await server.get("/info.0.json")
      let etag = try #require(first.headers[.eTag])
      let date = try #require(first.headers[.lastModified])
      #expect(date == "Fri, 27 Nov 2015 04:00:00 GMT")
      let sent = value.replacing("ETAG", with: etag).replacing("DATE", with: date)
      let second = try await server.get("/info.0.json", headers: [name: sent])
      #expect(second.status == (isCurrent ? .notModified : .ok))
      #expect(second.body.readableBytes == (isCurrent ? 0 : first.body.readableBytes))
      #expect(second.headers[.eTag] == etag)
    }
  }

  /// An address, the expected file, and its media type.
  @Test(arguments: [
    ("/comics/floating_crate_(1).jpg", "floating_crate_(1).jpg", "image/jpeg"),
    ("/comics/floating_crate_%281%29.jpg", "floating_crate_(1).jpg", "image/jpeg"),
    ("/imgs/comics/(.png", "(.png", "image/png"),
    ("/comics/%3F%3F%3F.png", "%3F%3F%3F.png", "image/png"),
    ("/comics/%3f%3f%3f.png", "%3F%3F%3F.png", "image/png"),
  ])
  func `finds a recorded picture at an escaped address`(path: String, file: String, type: String) async throws
  {
    try await withReplay { server async throws in
      let response = try await server.get(path)
      #expect(response.status == .ok)
      #expect(response.text == Fixture.pictures[file])
      #expect(response.headers[.contentType] == type)
      let etag = try #require(response.headers[.eTag])
      #expect(try await server.get(path, headers: [.ifNoneMatch: etag]).status == .notModified)
    }
  }

  @Test(arguments: [
    "/comics/", "/comics/absent.png", "/comics/%253F%253F%253F.png", "/comics/???.png", "/comics/unused.png",
    "/comics/../comics.jsonl", "/comics/%2e%2e%2fcomics.jsonl", "/imgs/second.png", "/imgs/",
    "/comics/%ff.png", "/comics/second_2x.png", "/comics/twice_2x.png",
  ])
  func `answers 404 for a name without a comic`(path: String) async throws {
    try await withReplay { server async throws in #expect(try await server.get(path).status == .notFound) }
  }

  @Test(arguments: ["/2/large/", "/2_large/", "/xkcd/2/huge/"])
  func `has a page with the larger version of each comic`(path: String) async throws {
    try await withReplay { server async throws in
      let page = try await server.get(path)
      let name = path.contains("huge") ? "second_huge.png" : "second_large.png"
      #expect(page.text.contains("<img src=\"https://imgs.xkcd.com/comics/\(name)\">"))
      let single = try await server.get("/comics/second.png").body
      let larger = try await server.get("/comics/\(name)").body
      let width = try #require(single.getInteger(at: 16, as: UInt32.self))
      #expect(larger.getInteger(at: 16, as: UInt32.self) == width * 4)
    }
  }

  @Test func `generates double-size pictures from comic 1084 on`() async throws {
    try await withReplay(pictures: .init(doubleSize: .generated)) { server async throws in
      #expect(try await server.get("/comics/twice_2x.png").text == Fixture.pictures["twice.png"])
      #expect(try await server.get("/comics/shared_2x.png").status == .notFound)
      #expect(try await server.get("/comics/twice_2x.gif").status == .notFound)
      let single = try await server.get("/comics/latest.png").body
      let double = try await server.get("/comics/latest_2x.png").body
      // A PNG has its width and height at bytes 16 and 20.
      for offset in [16, 20] {
        let side = try #require(single.getInteger(at: offset, as: UInt32.self))
        #expect(double.getInteger(at: offset, as: UInt32.self) == side * 2)
      }
    }
  }

  @Test func `a placeholder is a PNG whose parts zlib can read, and the same for a number`() async throws {
    let pictures = (1...8).map { Picture.panels(number: $0, scale: 1) }
    #expect(pictures.map(\.png) == (1...8).map { Picture.panels(number: $0, scale: 1).png })
    #expect(Set(pictures.map(\.png)).count == 8)
    for picture in pictures {
      #expect((380...740).contains(picture.width) && (230...990).contains(picture.height))
      var file = picture.png
      #expect(file.readBytes(length: 8) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
      var types: [String] = []
      while let length = file.readInteger(as: UInt32.self) {
        types.append(file.readString(length: 4) ?? "")
        file.moveReaderIndex(forwardBy: Int(length) + 4)
      }
      #expect(types == ["IHDR", "PLTE", "IDAT", "IEND"])
    }
  }

  @Test(arguments: [("600x600bb.jpg", 600), ("100x100bb.jpg", 100)])
  func `a cover is a JPEG of the requested size, another one for each address`(name: String, side: Int)
    async throws
  {
    try await withReplay { server in
      let one = try await server.get("/artwork/image/a/\(name)")
      #expect(one.headers[.contentType] == "image/jpeg")
      #expect(one.body.readableBytesView.starts(with: [0xFF, 0xD8]))
      let frame = ByteBuffer(bytes: [0xFF, 0xC0, 0, 11, 8, UInt8(side >> 8), UInt8(side & 255)])
      #expect(one.body.readableBytesView.firstRange(of: frame.readableBytesView) != nil)
      #expect(try await server.get("/artwork/image/a/\(name)").body == one.body)
      #expect(try await server.get("/artwork/image/b/\(name)").body != one.body)
      for bad in ["5000x5000bb.jpg", "600x500bb.jpg", "x.jpg", "600x600bb.txt"] {
        #expect(try await server.get("/artwork/image/a/\(bad)").status == .notFound)
      }
    }
  }

  @Test(arguments: [
    ("not json", "It is not JSON"), (#"{"num": 2}"#, "'img' is missing"),
    (#"{"num": "2", "img": "", "year": "", "month": "", "day": ""}"#, "'num' is not a whole number"),
    (#"{"num": 0, "img": "", "year": "2006", "month": "1", "day": "1"}"#, "numbered from 1"),
    (#"{"num": 2, "img": "", "year": "2006", "month": "13", "day": "1"}"#, "are not a date"),
  ])
  func `names the line that can't be read, and why`(line: String, reason: String) throws {
    let fixture = try Fixture(lines: [Fixture.records[1] ?? "", "", line])
    let error = #expect(throws: ReplayError.self) {
      try XkcdRecording(folder: fixture.folder.appending(path: "xkcd"), latest: nil)
    }
    let sentence = error?.description ?? ""
    #expect(sentence.hasPrefix("Line 3 of "))
    #expect(sentence.contains(reason))
  }

  @Test(arguments: [
    ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
    ("Thu, 29 Feb 2024 23:59:59 GMT", 1_709_251_199),
  ])
  func `parses and formats HTTP dates`(text: String, seconds: Double) {
    #expect(HTTPDate.text(of: Date(timeIntervalSince1970: seconds)) == text)
    #expect(HTTPDate.date(in: text) == Date(timeIntervalSince1970: seconds))
  }
}
