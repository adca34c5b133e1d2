// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import HTTPTypes
import Hummingbird
import LongboxReaders
import NIOCore
import Testing

@testable import LongboxServer

@Suite struct `Large bodies` {
  private static let client = ClientAddress([127, 0, 0, 1])
  private static var silent: FloodLog { FloodLog(logger: .silent) }

  private static func request(length: Int?) -> Request {
    var fields = HTTPFields()
    if let length { fields[.contentLength] = String(length) }
    return Request(
      head: HTTPRequest(method: .post, scheme: nil, authority: nil, path: "/sync", headerFields: fields),
      body: RequestBody(buffer: ByteBuffer(string: "words"))
    )
  }

  @Test(arguments: [LargeBodies.small + 1, nil])
  func `are limited to a few at a time`(length: Int?) async throws {
    let bodies = LargeBodies(most: 1, floods: Self.silent)
    let request = Self.request(length: length)
    try await bodies.withBody(of: request, from: Self.client, upTo: 1000) { body async throws in
      #expect(String(buffer: body) == "words")
      let rejection = await #expect(throws: HTTPError.self) {
        try await bodies.withBody(of: request, from: Self.client, upTo: 1000) { _ in
          Issue.record("A second one was taken.")
        }
      }
      #expect(rejection?.status == .serviceUnavailable)
      #expect(rejection?.headers[.retryAfter] == "5")
      // A small one is not limited.
      #expect(
        try await bodies.withBody(of: Self.request(length: 5), from: Self.client, upTo: 1000) {
          $0.readableBytes
        } == 5
      )
    }
    #expect(
      try await bodies.withBody(of: Self.request(length: length), from: Self.client, upTo: 1000) {
        $0.readableBytes
      } == 5
    )
  }

  @Test func `of one client leave room for others`() async throws {
    let recorder = LogRecorder()
    let bodies = LargeBodies(most: 8, mostOfClient: 1, floods: FloodLog(logger: recorder.logger))
    let request = Self.request(length: nil)
    let other = ClientAddress([127, 0, 0, 2])
    try await bodies.withBody(of: request, from: other, upTo: 1000) { _ async throws in
      for _ in 0..<2 {
        await #expect(throws: HTTPError.self) {
          try await bodies.withBody(of: request, from: other, upTo: 1000) { _ in }
        }
        #expect(recorder.count(of: .largeBodies) == 1)
        #expect(recorder.lines.last?.last == "127.0.0.2")
      }
      try await bodies.withBody(of: request, from: Self.client, upTo: 1000) { body in
        #expect(body.readableBytes == 5)
      }
    }
  }

  @Test func `make room when their work fails`() async throws {
    struct Failure: Error {}
    let bodies = LargeBodies(most: 1, floods: Self.silent)
    await #expect(throws: Failure.self) {
      try await bodies.withBody(of: Self.request(length: nil), from: Self.client, upTo: 1000) { _ in
        throw Failure()
      }
    }
    #expect(
      try await bodies.withBody(of: Self.request(length: nil), from: Self.client, upTo: 1000) {
        $0.readableBytes
      } == 5
    )
  }
}
