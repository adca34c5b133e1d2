// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import Foundation
import HTTPTypes
import Hummingbird
import LongboxReaders
import LongboxStore
import NIOCore
import Testing
import TestSupport

@testable import LongboxServer

@Suite("Bodies of requests") struct RequestBodiesTests {
  private static let client = ClientAddress([127, 0, 0, 1])
  private static let one = RequestBodies.Amount(count: 1, bytes: .max)
  private static var silent: IncidentLog { IncidentLog(logger: .silent) }

  private static func request(length: Int?) -> Request {
    var fields = HTTPFields()
    if let length { fields[.contentLength] = String(length) }
    return Request(
      head: HTTPRequest(method: .post, scheme: nil, authority: nil, path: "/sync", headerFields: fields),
      body: RequestBody(buffer: ByteBuffer(string: "words"))
    )
  }

  @Test(arguments: [RequestBodies.small + 1, nil])
  func `are limited to a few at a time`(length: Int?) async throws {
    let bodies = RequestBodies(most: Self.one, incidents: Self.silent, now: { Date() })
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
    let bodies = RequestBodies(
      mostOfClient: Self.one,
      incidents: IncidentLog(logger: recorder.logger),
      now: { Date() }
    )
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

  @Test func `are limited in their bytes, of one client and of all`() async throws {
    let length = RequestBodies.small + 1
    let bodies = RequestBodies(
      most: RequestBodies.Amount(count: 24, bytes: 3 * length),
      mostOfClient: RequestBodies.Amount(count: 4, bytes: 2 * length),
      incidents: Self.silent,
      now: { Date() }
    )
    func send(_ length: Int?, from client: UInt8, _ work: () async throws -> Void = {}) async throws {
      let request = Self.request(length: length)
      let client = ClientAddress([192, 0, 2, client])
      // Without a length it may be as long as two.
      try await bodies.withBody(of: request, from: client, upTo: 2 * (RequestBodies.small + 1)) { _ in
        try await work()
      }
    }
    func expectRejection(of length: Int?, from client: UInt8) async {
      let rejection = await #expect(throws: HTTPError.self) { try await send(length, from: client) }
      #expect(rejection?.status == .serviceUnavailable)
    }
    try await send(length, from: 1) {
      await expectRejection(of: nil, from: 1)
      try await send(length, from: 1) {
        await expectRejection(of: length, from: 1)
        try await send(length, from: 2) { await expectRejection(of: length, from: 3) }
        try await send(length, from: 3)
      }
    }
    try await send(nil, from: 1)
  }

  @Test func `make room when their work fails`() async throws {
    struct Failure: Error {}
    let bodies = RequestBodies(most: Self.one, incidents: Self.silent, now: { Date() })
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

  @Test(
    arguments: [
      StoreError.quota(.newLibrary), StoreError.quota(.allLibraries), TooManyNew(retryAfter: 9),
    ] as [any Error],
    [(length: nil, burst: 4, pause: 60), (length: 5, burst: 40, pause: 5)]
  )
  func `wait after several that didn't fit, and are refused unread`(
    error: any Error,
    kind: (length: Int?, burst: Int, pause: Int)
  ) async throws {
    let time = SettableTime()
    let recorder = LogRecorder()
    let bodies = RequestBodies(incidents: IncidentLog(logger: recorder.logger), now: { time.now })
    let other = ClientAddress([127, 0, 0, 2])
    func send(from client: ClientAddress, length: Int?, failing: (any Error)? = nil) async throws {
      try await bodies.withBody(of: Self.request(length: length), from: client, upTo: 1000) { _ in
        if let failing { throw failing }
      }
    }
    for _ in 0..<50 { try? await send(from: Self.client, length: kind.length, failing: CancellationError()) }
    for _ in 0..<50 { try await send(from: Self.client, length: kind.length) }
    for _ in 0..<kind.burst {
      await #expect(throws: (any Error).self) {
        try await send(from: Self.client, length: kind.length, failing: error)
      }
    }
    #expect(recorder.count(of: .largeBodies) == 0)
    let rejection = await #expect(throws: HTTPError.self) {
      try await bodies.withBody(of: Self.request(length: kind.length), from: Self.client, upTo: 1000) { _ in
        Issue.record("The body was read.")
      }
    }
    #expect(rejection?.status == .tooManyRequests)
    #expect(rejection?.headers[.retryAfter] == "\(kind.pause)")
    #expect(recorder.count(of: .largeBodies) == 1)
    try await send(from: other, length: kind.length)
    try await send(from: Self.client, length: kind.length == nil ? 5 : nil)
    time.advance(by: Double(kind.pause))
    try await send(from: Self.client, length: kind.length)
  }
}
