// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import LongboxUpstream

@Suite struct `The status of a reply` {
  /// Sun, 06 Nov 1994 08:49:37 GMT.
  private static let now = Date(timeIntervalSince1970: 784_111_777)

  private func send(_ status: Int, _ headers: HeaderFields = [:], validator: Validator? = nil) async throws
    -> Reply
  {
    let transport = ScriptedTransport(.reply(status, headers)).transport.checkingStatus(now: { Self.now })
    return try await transport.send(try .sample(validator: validator))
  }

  @Test(arguments: [
    (404, UpstreamError.notFound(.xkcd, subject: "comic 7")),
    (410, .notFound(.xkcd, subject: "comic 7")),
    (403, .rateLimited(.xkcd, retryAfter: nil)),
    (429, .rateLimited(.xkcd, retryAfter: nil)),
    (408, .timedOut(.xkcd, subject: "comic 7")),
    (500, .serverError(.xkcd, status: 500, retryAfter: nil)),
    (503, .serverError(.xkcd, status: 503, retryAfter: nil)),
    (599, .serverError(.xkcd, status: 599, retryAfter: nil)),
    (204, .unexpectedStatus(.xkcd, subject: "comic 7", status: 204)),
    (206, .unexpectedStatus(.xkcd, subject: "comic 7", status: 206)),
    (302, .unexpectedStatus(.xkcd, subject: "comic 7", status: 302)),
    (418, .unexpectedStatus(.xkcd, subject: "comic 7", status: 418)),
    (600, .unexpectedStatus(.xkcd, subject: "comic 7", status: 600)),
    (304, .malformed(.xkcd, at: "comic 7: the answer is “not modified”, although Longbox sent no validator")),
  ])
  func `becomes an error`(status: Int, error: UpstreamError) async {
    await #expect(throws: error) { try await send(status) }
  }

  @Test func `is passed on where it is a success`() async throws {
    #expect(try await send(200).status == 200)
    #expect(try await send(304, validator: Validator(entityTag: "\"1\"", lastModified: nil)).status == 304)
  }

  @Test(arguments: [
    ("0", Duration.seconds(0)), ("120", .seconds(120)), (" 7 ", .seconds(7)),
    ("Sun, 06 Nov 1994 08:51:37 GMT", .seconds(120)),
    ("Sun, 06 Nov 1994 08:00:00 GMT", .zero),
    ("99999999999999999999", .seconds(86_400)), ("Sun, 06 Nov 2094 08:49:37 GMT", .seconds(86_400)),
  ])
  func `has Retry-After as seconds or as a date`(field: String, pause: Duration) async {
    await #expect(throws: UpstreamError.rateLimited(.xkcd, retryAfter: pause)) {
      try await send(429, ["retry-after": field])
    }
    await #expect(throws: UpstreamError.serverError(.xkcd, status: 503, retryAfter: pause)) {
      try await send(503, ["Retry-After": field])
    }
  }

  @Test(arguments: [
    "", "soon", "-1", "1.5", "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 CET", "٣",
  ])
  func `has no Retry-After where it can't be parsed`(field: String) async {
    await #expect(throws: UpstreamError.rateLimited(.xkcd, retryAfter: nil)) {
      try await send(429, ["Retry-After": field])
    }
  }
}
