// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@testable import longbox_replay

@Suite struct XkcdPicturesTests {
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
    try await withReplay { bench async throws in
      let response = try await bench.get(path)
      #expect(response.status == .ok)
      #expect(response.text == Fixture.pictures[file])
      #expect(response.headers[.contentType] == type)
      let etag = try #require(response.headers[.eTag])
      #expect(try await bench.get(path, headers: [.ifNoneMatch: etag]).status == .notModified)
    }
  }

  @Test(arguments: [
    "/comics/", "/comics/absent.png", "/comics/%253F%253F%253F.png", "/comics/???.png", "/comics/unused.png",
    "/comics/../comics.jsonl", "/comics/%2e%2e%2fcomics.jsonl", "/imgs/second.png", "/imgs/",
    "/comics/%ff.png", "/comics/second_2x.png", "/comics/twice_2x.png",
  ])
  func `answers 404 for a name without a comic`(path: String) async throws {
    try await withReplay { bench async throws in #expect(try await bench.get(path).status == .notFound) }
  }

  @Test(arguments: [
    ("second.png", [0x89, 0x50, 0x4E, 0x47], "image/png"), ("moving.gif", [0x47, 0x49, 0x46], "image/gif"),
  ])
  func `draws a placeholder in the format of the file name`(
    name: String,
    magic: [UInt8],
    type: String
  ) async throws {
    try await withReplay { bench async throws in
      let response = try await bench.get("/comics/\(name)")
      #expect(response.headers[.contentType] == type)
      #expect(response.body.readableBytesView.starts(with: magic))
      #expect(try await bench.get("/comics/\(name)").body == response.body)
    }
  }

  @Test func `answers 404 for an unrecorded picture if placeholders are off`() async throws {
    try await withReplay(pictures: .init(missing: .none)) { bench async throws in
      #expect(try await bench.get("/comics/second.png").status == .notFound)
      #expect(try await bench.get("/comics/(.png").status == .ok)
    }
  }

  @Test func `hides the picture of a comic that is not published yet`() async throws {
    try await withReplay(latest: 1037) { bench async throws in
      #expect(try await bench.get("/comics/twice.png").status == .notFound)
      _ = try await bench.send(.post, "/_replay/publish", #"{"number": 1084}"#)
      #expect(try await bench.get("/comics/twice.png").status == .ok)
    }
  }

  @Test(arguments: ["/2/large/", "/2_large/", "/xkcd/2/huge/"])
  func `has a page with the larger version of each comic`(path: String) async throws {
    try await withReplay { bench async throws in
      let page = try await bench.get(path)
      let name = path.contains("huge") ? "second_huge.png" : "second_large.png"
      #expect(page.text.contains("<img src=\"https://imgs.xkcd.com/comics/\(name)\">"))
      let single = try await bench.get("/comics/second.png").body
      let larger = try await bench.get("/comics/\(name)").body
      let width = try #require(single.getInteger(at: 16, as: UInt32.self))
      #expect(larger.getInteger(at: 16, as: UInt32.self) == width * 4)
    }
  }

  @Test(arguments: ["/9999/large/", "/2/larger/", "/2_small/", "/1608/large/", "/comics/absent_large.png"])
  func `has no larger version without a comic and its picture`(path: String) async throws {
    try await withReplay { bench async throws in #expect(try await bench.get(path).status == .notFound) }
  }

  @Test func `generates double-size pictures from comic 1084 on`() async throws {
    try await withReplay(pictures: .init(doubleSize: .generated)) { bench async throws in
      #expect(try await bench.get("/comics/twice_2x.png").text == Fixture.pictures["twice.png"])
      #expect(try await bench.get("/comics/shared_2x.png").status == .notFound)
      #expect(try await bench.get("/comics/twice_2x.gif").status == .notFound)
      let single = try await bench.get("/comics/latest.png").body
      let double = try await bench.get("/comics/latest_2x.png").body
      // A PNG has its width and height at bytes 16 and 20.
      for offset in [16, 20] {
        let side = try #require(single.getInteger(at: offset, as: UInt32.self))
        #expect(double.getInteger(at: offset, as: UInt32.self) == side * 2)
      }
    }
  }
}
