// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing

@testable import longbox_replay

@Suite struct XkcdSourceTests {
  @Test(arguments: Fixture.records.keys.sorted())
  func `serves each record byte by byte`(number: Int) async throws {
    try await withReplay { bench async throws in
      for path in ["/\(number)/info.0.json", "/xkcd/\(number)/info.0.json"] {
        let response = try await bench.get(path)
        #expect(response.status == .ok)
        #expect(response.text == Fixture.records[number])
        #expect(response.headers[.contentType] == "application/json")
      }
    }
  }

  @Test func `serves the newest published comic as the latest`() async throws {
    try await withReplay { bench async throws in
      #expect(try await bench.get("/info.0.json").text == Fixture.records[1609])
    }
    try await withReplay(latest: 1137) { bench async throws in
      #expect(try await bench.get("/info.0.json").text == Fixture.records[1137])
    }
  }

  @Test(arguments: [
    "/404/info.0.json", "/5000/info.0.json", "/0/info.0.json", "/-1/info.0.json", "/x/info.0.json", "/404/",
    "/1/info.1.json", "/1/info.0.json/more", "/1193/info.0.json", "/1193/",
  ])
  func `answers an HTML 404 for what doesn't exist or isn't published`(path: String) async throws {
    try await withReplay(latest: 1137) { bench async throws in
      let response = try await bench.get(path)
      #expect(response.status == .notFound)
      #expect(response.headers[.contentType] == "text/html")
      #expect(response.text.contains("<title>404 Not Found</title>"))
    }
  }

  @Test(arguments: [("/", "xkcd 1609"), ("/859/", "xkcd 859"), ("/859", "xkcd 859"), ("/xkcd/", "xkcd 1609")])
  func `has a small page for the site and for each comic`(path: String, title: String) async throws {
    try await withReplay { bench async throws in
      let response = try await bench.get(path)
      #expect(response.status == .ok)
      #expect(response.text.contains(title))
    }
  }

  @Test func `answers a HEAD without a body`() async throws {
    try await withReplay { bench async throws in
      let response = try await bench.send(.head, "/1/info.0.json")
      #expect(response.status == .ok)
      #expect(response.body.readableBytes == 0)
      #expect(response.headers[.contentLength] == Fixture.records[1].map { String($0.utf8.count) })
    }
  }

  /// A validator for the second request, derived from the first response, and whether it is current.
  @Test(arguments: [
    (HTTPField.Name.ifNoneMatch, "ETAG", true), (.ifNoneMatch, "\"other\", W/ETAG", true),
    (.ifNoneMatch, "*", true), (.ifNoneMatch, "\"other\"", false), (.ifModifiedSince, "DATE", true),
    (.ifModifiedSince, "Fri, 27 Nov 2015 03:59:59 GMT", false), (.ifModifiedSince, "yesterday", false),
  ])
  func `answers 304 if it has not changed`(name: HTTPField.Name, value: String, isCurrent: Bool) async throws
  {
    try await withReplay { bench async throws in
      let first = try await bench.get("/info.0.json")
      let etag = try #require(first.headers[.eTag])
      let date = try #require(first.headers[.lastModified])
      #expect(date == "Fri, 27 Nov 2015 04:00:00 GMT")
      let sent = value.replacing("ETAG", with: etag).replacing("DATE", with: date)
      let second = try await bench.get("/info.0.json", headers: [name: sent])
      #expect(second.status == (isCurrent ? .notModified : .ok))
      #expect(second.body.readableBytes == (isCurrent ? 0 : first.body.readableBytes))
      #expect(second.headers[.eTag] == etag)
    }
  }

  @Test func `prefers the entity tag if both validators are sent`() async throws {
    try await withReplay { bench async throws in
      let date = try #require(try await bench.get("/info.0.json").headers[.lastModified])
      let response = try await bench.get(
        "/info.0.json",
        headers: [.ifNoneMatch: "\"other\"", .ifModifiedSince: date]
      )
      #expect(response.status == .ok)
    }
  }
}

@Suite struct XkcdRecordingTests {
  @Test(arguments: [
    ("not json", "It is not JSON"), (#"{"num": 2}"#, "'img' is missing"),
    (#"{"num": "2", "img": "", "year": "", "month": "", "day": ""}"#, "'num' is not a whole number"),
    (#"{"num": 0, "img": "", "year": "2006", "month": "1", "day": "1"}"#, "numbered from 1"),
    (#"{"num": 2, "img": "", "year": "2006", "month": "13", "day": "1"}"#, "are not a date"),
  ])
  func `names the line that can't be read, and why`(line: String, reason: String) throws {
    let fixture = try Fixture(lines: [Fixture.records[1] ?? "", "", line])
    let error = #expect(throws: RecordingError.self) {
      try XkcdRecording(folder: fixture.folder.appending(path: "xkcd"), latest: nil)
    }
    let sentence = error?.description ?? ""
    #expect(sentence.hasPrefix("Line 3 of "))
    #expect(sentence.contains(reason))
  }

  @Test func `reports an invalid folder or number`() throws {
    let fixture = try Fixture()
    let empty = try Fixture(lines: [])
    let xkcd = fixture.folder.appending(path: "xkcd")
    for (folder, latest, words) in [
      (fixture.folder, nil, "can't be read"), (empty.folder.appending(path: "xkcd"), nil, "holds no comic"),
      (xkcd, 404, "Comic 404 is not recorded, so it can't be the latest; there are 1 to 1609."),
    ] as [(URL, Int?, String)] {
      let error = #expect(throws: RecordingError.self) { try XkcdRecording(folder: folder, latest: latest) }
      #expect(error?.description.contains(words) == true)
    }
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
