// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import Foundation
import HTTPTypes
import HummingbirdTesting
import LongboxUpstream
import TestSupport
import Testing

@testable import LongboxServer

@Suite("The API of xkcd", .timeLimit(.minutes(10))) struct RecordTests {
  @Test func `returns exactly the bytes that xkcd sent`() async throws {
    let xkcd = FakeXkcd(latest: 6)
    let odd =
      #"{ "num":3 ,"title":"\u0041 \/ \ud83d\udce6","day":"1","month":"2","year":"2020","x":[1,{}],"img":""}"#
    xkcd.set(Array(odd.utf8), for: 3)
    try await withServer(xkcd) { bench async throws in
      for number in 1...6 {
        let answer = try await bench.get("/\(number)/info.0.json")
        #expect(answer.bytes == xkcd.record(number))
        #expect(answer.headers[.contentType] == "application/json")
      }
      let latest = try await bench.get("/info.0.json")
      #expect(latest.bytes == xkcd.record(6))
    }
  }

  @Test(arguments: ["/info.0.json", "/3/info.0.json", "/7/info.0.json", "/404/info.0.json", "/x/info.0.json"])
  func `is open to pages of other sites, including errors`(path: String) async throws {
    try await withServer { bench async throws in
      let answer = try await bench.get(path, [.origin: "https://example.org"])
      #expect(answer.headers[.accessControlAllowOrigin] == "*")
      #expect(try await bench.get("/6/").headers[.accessControlAllowOrigin] == nil)
    }
  }

  @Test func `names this server's pictures if the operator wants it, and changes nothing else`() async throws
  {
    let xkcd = FakeXkcd(latest: 6)
    let fields = #""title":"\u00e9","day":"1","month":"2","year":"2020","x":[1,{}]"#
    xkcd.set(Array("{\"num\":3,\(fields),\"img\":\"https://imgs.xkcd.com/comics/a.png\"}".utf8), for: 3)
    xkcd.set(Array("{\"num\":4,\(fields)}".utf8), for: 4)
    try await withServer(xkcd, storing: 6...6, namesOwnPictures: true) { bench async throws in
      let changed = try await bench.get("/3/info.0.json").text
      #expect(changed.contains(#""img":"http://localhost/comics/3/image""#), "\(changed)")
      #expect(changed.contains(#""title":"é""#) && changed.contains(#""x":[1,{}]"#), "\(changed)")
      #expect(try await bench.get("/4/info.0.json").bytes == xkcd.record(4))
    }
  }

  @Test func `fetches what is not stored`() async throws {
    try await withServer(storing: 6...6) { bench async throws in
      #expect(try await bench.get("/2/info.0.json").bytes == bench.xkcd.record(2))
      #expect(bench.xkcd.takePaths() == ["/2/info.0.json"])
    }
  }

  @Test func `reports that a comic can't be fetched`() async throws {
    try await withServer(storing: 6...6) { bench async throws in
      bench.xkcd.setEverywhere(.failure(.unreachable(.xkcd, reason: "no route")))
      let answer = try await bench.get("/2/info.0.json")
      #expect(answer.status == .serviceUnavailable)
      #expect(answer.text.contains("can't be reached"))
      #expect(try await bench.get("/info.0.json").status == .ok)
    }
  }

  @Test func `answers 503 if nothing is stored yet`() async throws {
    let xkcd = FakeXkcd(latest: 3)
    xkcd.setEverywhere(.failure(.unreachable(.xkcd, reason: "no route")))
    try await withServer(xkcd, storing: nil) { bench async throws in
      #expect(try await bench.get("/info.0.json").status == .serviceUnavailable)
      #expect(try await bench.get("/1/info.0.json").status == .serviceUnavailable)
    }
  }
}
