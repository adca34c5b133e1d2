// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import Foundation
import HTTPTypes
import HummingbirdTesting
import LongboxUpstream
import Testing

@testable import LongboxServer

@Suite("A problem in JSON", .timeLimit(.minutes(10))) struct ProblemTests {
  @Test(
    arguments: [
      ("/api/search", 400, "q"), ("/api/search?q=a&deep=yes", 400, "deep"),
      ("/api/search?q=a&limit=0", 400, "limit"),
      ("/api/search?q=a&limit=101", 400, "limit"), ("/api/search?q=a&limit=+5", 400, "limit"),
      ("/api/search?q=a&limit=05", 400, "limit"), ("/api/search?q=a&limit=", 400, "limit"),
      ("/api/search?q=a&offset=-1", 400, "offset"), ("/api/search?q=a&offset=1e3", 400, "offset"),
      ("/api/search?q=a&offset=99999999999999999999", 400, "offset"), ("/api/search?q=a&q=b", 400, "q"),
      ("/api/search?query=a", 400, "query"), ("/api/comics?since=yesterday", 400, "since"),
      ("/api/comics?since=1.2.3", 400, "since"), ("/api/comics?since=", 400, "since"),
      ("/api/comics?since=-1", 400, "since"), ("/api/comics?limit=501", 400, "limit"),
      ("/api/comics/x", 400, "number"), ("/api/comics/0", 400, "number"), ("/api/comics/-3", 400, "number"),
      ("/api/comics/3.0", 400, "number"), ("/api/comics/99999999999999999999", 400, "number"),
      ("/api/comics/404", 404, "number"), ("/api/comics/7", 404, "number"),
      ("/api/comics/3?deep=1", 400, "deep"),
      ("/api", 404, nil), ("/api/nothing", 404, nil), ("/api/comics/3/nothing", 404, nil),
    ] as [(String, Int, String?)]
  )
  func `names the wrong parameter`(path: String, status: Int, parameter: String?) async throws {
    try await withServer { bench async throws in
      let answer = try await bench.get(path, [.origin: "https://example.org"])
      #expect(answer.status.code == status)
      #expect(answer.headers[.contentType] == "application/problem+json")
      #expect(answer.headers[.accessControlAllowOrigin] == "*")
      #expect(answer.headers[.cacheControl] == "no-store")
      let problem = try JSONDecoder().decode(SentProblem.self, from: Data(answer.bytes))
      #expect(problem.type == "about:blank")
      #expect(problem.title == answer.status.reasonPhrase)
      #expect(problem.status == status)
      #expect(problem.parameter == parameter)
      #expect(problem.detail.hasSuffix("."))
      #expect(bench.xkcd.takePaths().isEmpty)
    }
  }

  @Test func `is returned for a search that is too long`() async throws {
    try await withServer { bench async throws in
      let box = "%F0%9F%93%A6"
      #expect(try await bench.get("/api/search?q=" + String(repeating: box, count: 200)).status == .ok)
      let answer = try await bench.get("/api/search?q=" + String(repeating: box, count: 201))
      #expect(answer.status == .badRequest)
    }
  }

  @Test func `is returned for other methods`() async throws {
    try await withServer { bench async throws in
      for method in [HTTPRequest.Method.post, .put, .delete, .patch] {
        let answer = try await bench.send(method, "/api/comics/3")
        #expect(answer.status == .methodNotAllowed)
        #expect(answer.headers[.allow] == "GET, HEAD")
        #expect(answer.headers[.contentType] == "application/problem+json")
      }
    }
  }

  @Test(
    arguments: [
      (UpstreamError.unreachable(.xkcd, reason: "no route"), 503),
      (.timedOut(.xkcd, subject: "comic 2"), 504),
      (.malformed(.xkcd, at: "num"), 502),
    ] as [(UpstreamError, Int)]
  )
  func `says why a comic can't be fetched`(error: UpstreamError, status: Int) async throws {
    try await withServer(storing: 6...6) { bench async throws in
      bench.xkcd.setEverywhere(.failure(error))
      let answer = try await bench.get("/api/comics/2")
      #expect(answer.status.code == status)
      #expect(answer.headers[.contentType] == "application/problem+json")
    }
  }

  @Test func `is returned while no comic is stored`() async throws {
    let xkcd = FakeXkcd(latest: 3)
    xkcd.setEverywhere(.failure(.unreachable(.xkcd, reason: "no route")))
    try await withServer(xkcd, storing: nil) { bench async throws in
      #expect(try await bench.get("/api/comics/1").status == .serviceUnavailable)
      let changes: SentChanges = try await bench.decode("/api/comics")
      #expect(changes.comics.isEmpty && !changes.more && changes.next == "0")
      let found: SentResults = try await bench.decode("/api/search?q=bread")
      #expect(found.total == 0)
    }
  }
}
