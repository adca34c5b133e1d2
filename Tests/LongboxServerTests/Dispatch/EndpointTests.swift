// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import LongboxCatalog
import LongboxStore
import NIOCore
import Testing
import TestSupport

@testable import LongboxServer

/// A minimal controller.
private struct EchoController: Controller {
  var endpoints: [Endpoint] {
    [
      .get("echo/{word}", cached: { memory($0) }) { try word($1.parameters.require("word"), $0) },
      .post("echo/{word}", bodyLimit: 16) { try await echo($0, $1) },
      .post("letters") { try await echo($0, $1) },
      .get("letters/**") { request, _ in text("below \(request.uri.path)") },
    ]
  }

  private func memory(_ query: CacheQuery) -> CachedResponse? {
    guard query.query == "memory" else { return nil }
    let body = ByteBuffer(string: "\(query.parameter) from memory")
    return CachedResponse(status: .ok, fields: [:], body: ResponseBytes(body))
  }

  private func word(_ word: String, _ request: Request) throws -> Response {
    guard word != "nothing" else { throw HTTPError(.notFound, message: "There is no such word.") }
    return text(word)
  }

  private func echo(_ request: Request, _ context: ServerContext) async throws -> Response {
    text(String(buffer: try await request.body.collect(upTo: context.maxUploadSize)))
  }

  private func text(_ text: String) -> Response {
    Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
  }
}

@Suite("A new endpoint on a socket", .timeLimit(.minutes(10))) struct EndpointTests {
  private func withSocket(_ test: @Sendable (any TestClientProtocol, Int) async throws -> Void) async throws {
    var limits = Limits()
    limits.bodyLength = 32
    let application = Server.application(
      answering: EndpointTable([EchoController()], limits: limits),
      settings: ServerSettings(port: 0),
      now: { SettableTime.start },
      logger: .silent
    )
    try await application.test(.live) { client in
      try await test(client, #require(client.port))
    }
  }

  @Test func `answers at its address`() async throws {
    try await withSocket { client, _ async throws in
      for (path, body) in [
        ("/echo/bread", "bread"), ("/echo/bread/", "bread"), ("/letters/a/b", "below /letters/a/b"),
      ] {
        let answer = try await client.execute(uri: path, method: .get) { $0 }
        #expect(answer.text == body, "\(path)")
        #expect(answer.headers[.named("x-content-type-options")] == "nosniff")
        let head = try await client.execute(uri: path, method: .head) { $0 }
        #expect(head.status == .ok && head.body.readableBytes == 0, "\(path)")
      }
    }
  }

  @Test func `answers from memory if possible`() async throws {
    try await withSocket { _, port async throws in
      // The second request asks to close the connection, so the application must answer it.
      let requests = ["", "connection: close\r\n"].map { fields in
        "GET /echo/bread?memory HTTP/1.1\r\nhost: localhost\r\n\(fields)\r\n"
      }
      let answers = try await RawExchange.send(requests.joined(), port: port).text
      let bodies = answers.split(separator: "\r\n\r\n").dropFirst()
      #expect(bodies.first?.hasPrefix("bread from memory") == true, "\(answers)")
      #expect(bodies.last == "bread", "\(answers)")
    }
  }

  @Test func `rejects all methods but its own`() async throws {
    try await withSocket { client, _ async throws in
      for (path, methods) in [
        ("/echo/bread", "GET, HEAD, POST"), ("/letters", "POST"), ("/letters/a", "GET, HEAD"),
      ] {
        for method in [HTTPRequest.Method.put, .delete, .patch, .options] {
          let answer = try await client.execute(uri: path, method: method) { $0 }
          #expect(answer.status == .methodNotAllowed, "\(method) \(path)")
          #expect(answer.headers[.allow] == methods, "\(method) \(path)")
        }
      }
    }
  }

  @Test func `reports its own errors`() async throws {
    try await withSocket { client, _ async throws in
      let answer = try await client.execute(uri: "/echo/nothing", method: .get) { $0 }
      #expect(answer.status == .notFound && answer.text.contains("no such word"))
      #expect(try await client.execute(uri: "/nowhere", method: .get) { $0.status } == .notFound)
    }
  }

  @Test func `takes bodies up to its own limit, or up to the server's`() async throws {
    try await withSocket { client, port async throws in
      for (path, limit) in [("/echo/bread", 16), ("/letters", 32)] {
        let longest = String(repeating: "x", count: limit)
        let answer = try await client.execute(uri: path, method: .post, body: ByteBuffer(string: longest)) {
          $0
        }
        #expect(answer.text == longest)
        let rejected = try await RawExchange.send(
          "POST \(path) HTTP/1.1\r\nhost: localhost\r\ncontent-length: \(limit + 1)\r\n\r\n",
          port: port
        )
        #expect(rejected.text.hasPrefix("HTTP/1.1 413 "))
        #expect(rejected.text.contains("the limit is \(limit) bytes"))
        // A body without a length ends the connection when it exceeds the limit.
        _ = try await RawExchange.send(
          "POST \(path) HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n",
          thenRepeating: "5\r\nxxxxx\r\n",
          port: port
        )
      }
    }
  }
}

private struct Failing: Controller {
  let error: CatalogError

  var endpoints: [Endpoint] { [.get("comic") { [error] _, _ in throw error }] }
}

@Suite("A controller that throws an error of the catalog") struct CatalogErrorTests {
  @Test(
    arguments: [
      (.store(.unreachable(database: "longbox", reason: "no route")), 503, "5"), (.absent, 404, nil),
      (.leader(reason: "xkcd has an internal error."), 503, "5"), (.failed(reason: "unordered"), 500, nil),
    ] as [(CatalogError, Int, String?)]
  )
  func `answers with the error's status`(error: CatalogError, status: Int, retryAfter: String?) async throws {
    let endpoints = EndpointTable([Failing(error: error)], incidents: IncidentLog(logger: .silent))
    try await Application(router: endpoints.dispatcher, logger: .silent).test(.router) { client in
      let answer = try await client.executeRequest(uri: "/comic", method: .get, headers: [:], body: nil)
      #expect(answer.status.code == status)
      #expect(answer.headers[.retryAfter] == retryAfter)
    }
  }
}
