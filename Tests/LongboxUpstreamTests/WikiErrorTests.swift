// Longbox
// SPDX-License-Identifier: MIT

import Testing

@testable import LongboxUpstream

@Suite("Wiki errors with status 200") struct WikiErrorTests {
  private func error(
    _ body: String,
    _ headers: HeaderFields = [:],
    status: Int = 200
  ) async throws -> UpstreamError? {
    let script = ScriptedTransport(.reply(status, headers, body: Array(body.utf8)))
    var exchange = try Exchange.sample()
    exchange.source = .explain
    exchange.subject = "explanation of comic 7"
    do throws(UpstreamError) {
      _ = try await SourceClient(over: script.transport).send(exchange)
      return nil
    } catch {
      return error
    }
  }

  @Test func `that ask to wait become rate limits`() async throws {
    let lagging = #"{"error":{"code":"maxlag","info":"Waiting for 10.0.0.1: 0.6 seconds lagged.","lag":0.6}}"#
    #expect(try await error(lagging) == .rateLimited(.explain, retryAfter: .seconds(5)))
    #expect(try await error(lagging, ["Retry-After": "9"]) == .rateLimited(.explain, retryAfter: .seconds(9)))
    let limited = #"{"error":{"code":"ratelimited","info":"You've exceeded your rate limit."}}"#
    #expect(try await error(limited) == .rateLimited(.explain, retryAfter: .seconds(5)))
  }

  @Test(arguments: [
    (
      #"{"error":{"code":"missingtitle"}}"#,
      UpstreamError.notFound(.explain, subject: "explanation of comic 7")
    ),
    (#"{"error":{"code":"readonly","info":"x"}}"#, .serverError(.explain, status: 503, retryAfter: nil)),
    (
      #"{"error":{"code":"internal_api_error_DBQueryError","info":"x"}}"#,
      .serverError(.explain, status: 500, retryAfter: nil)
    ),
    (
      #"{"error":{"code":"toomanyvalues","info":"Too many values","docref":"See"},"servedby":"a"}"#,
      .malformed(.explain, at: "explanation of comic 7: it answers “toomanyvalues”: Too many values")
    ),
  ])
  func `are distinguished by their code`(body: String, expected: UpstreamError) async throws {
    #expect(try await error(body) == expected)
  }

  @Test func `are recognized only at the top level`() async throws {
    #expect(try await error(#"{"query":{"error":{"code":"maxlag"}}}"#) == nil)
    #expect(try await error(#"{"error":"a page about errors"}"#) == nil)
    #expect(try await error("", status: 503) == .serverError(.explain, status: 503, retryAfter: nil))
  }

  @Test func `are recognized by a header where the reply is long`() async throws {
    let padding = String(repeating: "a", count: 20_000)
    let body = #"{"error":{"code":"maxlag","info":"\#(padding)"}}"#
    #expect(try await error(body) == nil)
    #expect(
      try await error(body, ["MediaWiki-API-Error": "maxlag"])
        == .rateLimited(.explain, retryAfter: .seconds(5))
    )
  }

  @Test func `are retried by the request policies, like status errors`() async throws {
    let script = ScriptedTransport(
      .reply(200, ["Retry-After": "0"], body: Array(#"{"error":{"code":"maxlag"}}"#.utf8)),
      .reply(200, body: Array("{}".utf8))
    )
    let pace = Pace(interval: .zero, burst: 10)
    let policy = RetryPolicy(firstPause: .zero)
    let client = SourceClient(.explain, over: script.transport, pace: pace, retry: policy)
    var exchange = try Exchange.sample()
    exchange.source = .explain
    #expect(try await client.send(exchange).body == Array("{}".utf8))
    #expect(script.exchanges.count == 2)
  }
}
