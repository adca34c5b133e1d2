// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import Foundation
import HTTPTypes
import HummingbirdTesting
import LongboxCatalog
import LongboxUpstream
import Testing
import TestSupport

@testable import LongboxServer

@Suite("Pages", .timeLimit(.minutes(10))) struct PageTests {
  @Test func `fetch what is missing, and say so if they can't`() async throws {
    let time = SettableTime()
    try await withServer(storing: 6...6, time: time) { bench async throws in
      let page = try await bench.get("/2/")
      #expect(page.status == .ok)
      #expect(page.text.contains("width=\"5\" height=\"4\""))
      bench.xkcd.set(.status(500), at: "/3/info.0.json")
      let missing = try await bench.get("/3/")
      #expect(missing.status == .serviceUnavailable)
      #expect(missing.headers[.retryAfter] == "5")
      #expect(
        missing.text.contains("Comic 3 isn’t stored yet, and xkcd.com didn’t send it just now.")
      )
      #expect(missing.text.contains("https://xkcd.com/3/"))
      #expect(missing.headers[.contentType] == "text/html; charset=utf-8")
      bench.xkcd.set(nil, at: "/3/info.0.json")
      time.advance(by: 60)
      #expect(try await bench.get("/3/").status == .ok)
    }
  }

  @Test func `are shown without the picture's size if only the picture is missing`() async throws {
    let time = SettableTime()
    try await withServer(storing: 6...6, time: time) { bench async throws in
      bench.xkcd.set(.status(500), at: "/comics/bread_2.png")
      let page = try await bench.get("/2/")
      #expect(page.status == .ok)
      #expect(page.text.contains("Bread 2"))
      #expect(page.text.contains("src=\"/comics/2/image\""))
      bench.xkcd.set(nil, at: "/comics/bread_2.png")
      time.advance(by: 60)
      #expect(try await bench.get("/comics/2/image").status == .ok)
      #expect(try await bench.get("/2/").text.contains("width=\"5\" height=\"4\""))
    }
  }

  @Test func `say since when xkcd is down, and stay readable`() async throws {
    try await withServer { bench async throws in
      bench.back.time.advance(by: 3_600)
      bench.xkcd.setEverywhere(.failure(.unreachable(.xkcd, reason: "no route")))
      await bench.back.catalog.lookForNewest()
      let since = "has not answered since 15 January 2027, 12:00 UTC"
      for path in ["/", "/1/", "/comics", "/about"] {
        let page = try await bench.get(path)
        #expect(page.status == .ok, "\(path)")
        #expect(page.text.contains("xkcd.com isn’t answering."), "\(path)")
        #expect(page.text.contains(since) == (path == "/about"), "\(path)")
      }
      bench.xkcd.publish(upTo: 7)
      bench.xkcd.setEverywhere(nil)
      await bench.back.catalog.lookForNewest()
      let page = try await bench.get("/")
      #expect(page.text.contains("Bread 7"))
      #expect(!page.text.contains("isn’t answering"))
    }
  }

  @Test func `say that a missing comic will load when xkcd is back`() async throws {
    try await withServer(storing: 6...6) { bench async throws in
      bench.xkcd.setEverywhere(.failure(.unreachable(.xkcd, reason: "no route")))
      await bench.back.catalog.lookForNewest()
      let page = try await bench.get("/2/")
      #expect(page.status == .serviceUnavailable)
      #expect(
        page.text.contains("xkcd.com has not answered since 15 January 2027, 12:00 UTC. It loads when")
      )
    }
  }

  @Test func `say that nothing is stored yet if there are no samples either`() async throws {
    let xkcd = FakeXkcd(latest: 3)
    xkcd.setEverywhere(.failure(.unreachable(.xkcd, reason: "no route")))
    try await withServer(xkcd, storing: nil) { bench async throws in
      for path in ["/", "/1/", "/random", "/go?number=1"] {
        let page = try await bench.get(path)
        #expect(page.status == .serviceUnavailable, "\(path)")
        #expect(page.text.contains("No comic is stored yet"), "\(path)")
      }
      for path in ["/comics", "/about", "/healthz"] {
        #expect(try await bench.get(path).status == .ok, "\(path)")
      }
    }
  }

  @Test func `show the samples, clearly marked, and the real comics as soon as they exist`()
    async throws
  {
    let xkcd = FakeXkcd(latest: 3)
    xkcd.setEverywhere(.failure(.unreachable(.xkcd, reason: "no route")))
    try await withServer(xkcd, storing: nil) { bench async throws in
      await bench.back.prepareOrShowSamples()
      let samples = try await bench.get("/")
      #expect(samples.status == .ok)
      #expect(samples.text.contains("Sample box."))
      #expect(samples.text.contains("Samples drawn for Longbox."))
      #expect(!samples.text.contains("by Randall Munroe, <a"))
      let picture = try await bench.get("/comics/1/image")
      #expect(picture.status == .ok)
      #expect(picture.headers[.cacheControl] == "no-cache", "Another picture will stand at this address.")
      #expect(try await bench.get("/1/info.0.json").status == .ok)
      xkcd.setEverywhere(nil)
      await bench.back.catalog.lookForNewest()
      let real = try await bench.get("/", [.ifNoneMatch: samples.headers[.eTag] ?? ""])
      #expect(real.status == .ok)
      #expect(real.text.contains("Bread 3"))
      #expect(!real.text.contains("Sample box."))
      #expect(try await bench.get("/comics/1/image").bytes == HandmadeRecord.picture(1))
    }
  }

  @Test func `escape all text from sources`() async throws {
    let xkcd = FakeXkcd(latest: 6)
    let hostile = "<script>alert(1)</script><img src=x onerror=y>"
    xkcd.set(HandmadeRecord.raw(3, title: hostile, alt: "' \\\" " + hostile, transcript: hostile), for: 3)
    try await withServer(xkcd, storing: 3...3) { bench async throws in
      for path in ["/3/", "/comics", "/comics?view=list"] {
        let page = try await bench.get(path).text
        #expect(!page.contains("<script>"), "\(path)")
        #expect(!page.contains("<img src=x"), "\(path)")
      }
    }
  }

  @Test func `of a comic without a picture link to xkcd`() async throws {
    let xkcd = FakeXkcd(latest: 6)
    xkcd.set(HandmadeRecord.raw(3, image: "", more: #", "extra_parts": {}"#), for: 3)
    try await withServer(xkcd) { bench async throws in
      let page = try await bench.get("/3/").text
      #expect(page.contains("This comic only works on xkcd.com."))
      #expect(page.contains("This comic is interactive"))
      #expect(page.contains("https://xkcd.com/3/"))
      #expect(try await bench.get("/comics/3/image").status == .notFound)
    }
  }

  @Test func `report the server's health`() async throws {
    struct Health: Decodable {
      let status, version: String
      let comics, latest: Int
      let samples: Bool
      let sourceDownSince: Date?
    }
    try await withServer(storing: 5...6) { bench async throws in
      let decoder = JSONDecoder()
      decoder.dateDecodingStrategy = .iso8601
      func health() async throws -> Health {
        try await decoder.decode(Health.self, from: Data(bench.get("/healthz").bytes))
      }
      let well = try await health()
      #expect(well.status == "ok" && well.version == "7.8.9")
      #expect(well.comics == 2 && well.latest == 6)
      #expect(!well.samples && well.sourceDownSince == nil)
      bench.xkcd.setEverywhere(.status(500))
      await bench.back.catalog.lookForNewest()
      #expect(try await health().sourceDownSince == SettableTime.start)
    }
  }
}
