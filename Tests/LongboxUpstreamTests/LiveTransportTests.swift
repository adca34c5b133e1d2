// Longbox
// SPDX-License-Identifier: MIT

import Logging
import Testing
import TestSupport

@testable import LongboxUpstream

@Suite("The network transport", .timeLimit(.minutes(10))) struct LiveTransportTests {
  /// Runs a server, requests a path, and returns the reply.
  private func ask(
    _ path: String = "/x",
    readTimeout: Duration = .seconds(120),
    timeLimit: Duration = .seconds(120),
    validator: Validator? = nil,
    script: @escaping ScriptedServer.Script,
    checking: @escaping @Sendable ([ScriptedServer.Request]) -> Void = { _ in }
  ) async throws -> Reply {
    try await ScriptedServer.run(script) { server in
      defer { checking(server.requests) }
      let address = try #require(WebAddress(server.base + path))
      let exchange = try Exchange.sample(address, validator: validator, byteLimit: 1000, timeLimit: timeLimit)
      return try await Self.send(exchange, allowing: [address.origin], readTimeout: readTimeout)
    }
  }

  private static func send(
    _ exchange: Exchange,
    allowing origins: Set<WebAddress.Origin>,
    readTimeout: Duration = .seconds(120),
    limiter: RequestLimiter? = nil
  ) async throws -> Reply {
    let connections = HTTPConnections(connectTimeout: .seconds(120), readTimeout: readTimeout)
    let transport = Transport.live(
      over: connections,
      allowing: origins,
      userAgent: try UserAgent(version: "1", contact: "me@example.org"),
      logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
    )
    let outcome: Result<Reply, UpstreamError>
    do throws(UpstreamError) {
      if let limiter {
        outcome = .success(try await SourceClient(over: transport, limiter: limiter).send(exchange))
      } else {
        outcome = .success(try await transport.send(exchange))
      }
    } catch {
      outcome = .failure(error)
    }
    try await connections.close()
    return try outcome.get()
  }

  @Test func `returns the reply, and sends the User-Agent`() async throws {
    let validator = Validator(entityTag: "\"a\"", lastModified: nil)
    let reply = try await ask("/comics/%3F%3F%3F.png?a=(1)", validator: validator) { _ in
      .reply(200, "ETag: \"b\"", body: [1, 2, 3])
    } checking: { requests in
      #expect(requests.map(\.target) == ["/comics/%3F%3F%3F.png?a=(1)"])
      let head = requests.first?.head.lowercased() ?? ""
      #expect(head.hasPrefix("get "))
      #expect(head.contains("\r\nuser-agent: longbox/1 (+me@example.org)\r\n"))
      #expect(head.contains("\r\nif-none-match: \"a\"\r\n"))
    }
    #expect(reply.status == 200)
    #expect(reply.body == [1, 2, 3])
    #expect(reply.validator?.entityTag == "\"b\"")
  }

  @Test(arguments: [304, 403, 404, 429, 500, 503])
  func `returns replies of every status`(status: Int) async throws {
    let reply = try await ask { _ in .reply(status, "Retry-After: 7") }
    #expect(reply.status == status)
    #expect(reply.headers["retry-after"] == "7")
  }

  @Test(arguments: [301, 302, 303, 307, 308])
  func `follows redirects on the same host`(status: Int) async throws {
    let reply = try await ask("/a/b") { request in
      request.target == "/a/b" ? .redirect(to: "../c", status: status) : .reply(200, body: [7])
    }
    #expect(reply.body == [7])
    #expect(reply.address.target == "/c")
  }

  @Test func `follows redirects up to a limit`() async {
    await #expect(throws: UpstreamError.rejected(.xkcd, .redirects(limit: 5))) {
      try await ask { _ in
        .redirect(to: "/x")
      } checking: {
        #expect($0.count == 6)
      }
    }
  }

  @Test func `counts each redirect that it follows as a request to the source`() async throws {
    let clock = JumpingClock()
    let limiter = RequestLimiter(Pace(interval: .seconds(1), burst: 1), clock: clock)
    try await ScriptedServer.run { request in
      request.target == "/a" ? .redirect(to: "/b") : .reply(200)
    } _: { server in
      let address = try #require(WebAddress(server.base + "/a"))
      for _ in 0..<2 {
        _ = try await Self.send(try .sample(address), allowing: [address.origin], limiter: limiter)
      }
      #expect(server.requests.map(\.target) == ["/a", "/b", "/a", "/b"])
    }
    #expect(clock.sleeps == [.seconds(2)])
  }

  @Test func `sends no request to a host that is not allowed, also after a redirect`() async throws {
    try await ScriptedServer.run { _ in
      .reply(200, body: [6])
    } _: { secret in
      let inner = try #require(WebAddress(secret.base + "/secret"))
      await #expect(throws: UpstreamError.rejected(.xkcd, .origin(inner.origin))) {
        try await ask { _ in .redirect(to: inner.description) }
      }
      await #expect(throws: UpstreamError.rejected(.xkcd, .origin(inner.origin))) {
        try await Self.send(try .sample(inner), allowing: Source.xkcd.ownOrigins)
      }
      #expect(secret.requests.isEmpty)
    }
  }

  @Test(arguments: ["file:///etc/passwd", "http://user@127.0.0.1/", "http://", "javascript:alert(1)"])
  func `follows no redirect to an invalid address`(location: String) async {
    await #expect(throws: UpstreamError.rejected(.xkcd, .address(location))) {
      try await ask { _ in .redirect(to: location) }
    }
  }

  @Test func `never redirects from https to http`() throws {
    let secure = try #require(WebAddress("https://xkcd.com/"))
    let plain = WebAddress.Origin(scheme: .http, host: "xkcd.com", port: 80)
    #expect(throws: UpstreamError.rejected(.xkcd, .insecureRedirect(plain))) {
      try ExchangeSender.redirection(status: 301, location: "http://xkcd.com/", from: secure, .xkcd)
    }
    let open = try #require(WebAddress("http://xkcd.com/"))
    let next = try ExchangeSender.redirection(status: 301, location: "https://xkcd.com/", from: open, .xkcd)
    #expect(next == secure)
  }

  @Test(arguments: [
    "HTTP/1.1 200 X\r\nContent-Length: 5000\r\n\r\n",
    "HTTP/1.1 200 X\r\nTransfer-Encoding: chunked\r\n\r\n",
    "HTTP/1.1 200 X\r\nConnection: close\r\n\r\n",
  ])
  func `stops reading a body that is too long`(head: String) async {
    await #expect(throws: UpstreamError.rejected(.xkcd, .size(limit: 1000))) {
      try await ask { _ in
        [.text(head), .endless("10000\r\n" + String(repeating: "x", count: 65_536) + "\r\n")]
      }
    }
  }

  @Test func `accepts a body of exactly the allowed length`() async throws {
    let reply = try await ask { _ in .reply(200, body: Array(repeating: 1, count: 1000)) }
    #expect(reply.body.count == 1000)
  }

  @Test func `reads only the beginning of an error's endless body`() async throws {
    let reply = try await ask { _ in
      [.text("HTTP/1.1 500 X\r\n\r\n"), .endless(String(repeating: "x", count: 65_536))]
    }
    #expect(reply.status == 500)
  }

  @Test(arguments: [
    "HTTP/1.1 200 X\r\nContent-Length: 50\r\n\r\nonly this",
    "HTTP/1.1 200 X\r\nTransfer-Encoding: chunked\r\n\r\n20\r\nonly this",
    "HTTP/1.1 200 X\r\nContent-",
    "",
    "220 mail.example ESMTP\r\n\r\n",
  ])
  func `rejects a reply that breaks off or is not HTTP`(text: String) async {
    let error = await #expect(throws: UpstreamError.self) { try await ask { _ in [.text(text)] } }
    guard case .unreachable(.xkcd, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func `rejects a compressed body`() async {
    let error = await #expect(throws: UpstreamError.self) {
      try await ask { _ in .reply(200, "Content-Encoding: gzip") }
    }
    #expect(error == .malformed(.xkcd, at: "comic 7: the body is compressed, which Longbox didn't request"))
  }

  @Test func `times out on silence`() async {
    await #expect(throws: UpstreamError.timedOut(.xkcd, subject: "comic 7")) {
      try await ask(readTimeout: .milliseconds(50)) { _ in [.silence] }
    }
  }

  @Test func `times out on silence in the middle of a body`() async {
    await #expect(throws: UpstreamError.timedOut(.xkcd, subject: "comic 7")) {
      try await ask(readTimeout: .milliseconds(50)) { _ in
        [.text("HTTP/1.1 200 X\r\nContent-Length: 50\r\n\r\n"), .silence]
      }
    }
  }

  @Test func `times out on a slow drip, though no single wait is long`() async {
    await #expect(throws: UpstreamError.timedOut(.xkcd, subject: "comic 7")) {
      try await ask(timeLimit: .milliseconds(100)) { _ in
        [.text("HTTP/1.1 200 X\r\nContent-Length: 900\r\n\r\n"), .drip]
      }
    }
  }

  @Test func `times out on a loop of slow redirects`() async {
    await #expect(throws: UpstreamError.timedOut(.xkcd, subject: "comic 7")) {
      try await ask(timeLimit: .milliseconds(100)) { request in
        request.target == "/x" ? .redirect(to: "/y") : [.silence]
      }
    }
  }

  @Test func `reports refused connections`() async throws {
    // Port 1 (tcpmux) is unused; a port that has just become free may belong to another test by now.
    let address = try #require(WebAddress("http://127.0.0.1:1/"))
    await #expect(throws: UpstreamError.unreachable(.xkcd, reason: "http://127.0.0.1:1 refuses connections"))
    {
      try await Self.send(try .sample(address), allowing: [address.origin])
    }
  }

  @Test func `reports an unknown host name`() async throws {
    let address = try #require(WebAddress("http://longbox.invalid/"))
    let error = await #expect(throws: UpstreamError.self) {
      try await Self.send(try .sample(address), allowing: [address.origin])
    }
    guard case .unreachable(.xkcd, let reason) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(reason.contains("longbox.invalid"))
  }

  @Test func `stops when it is cancelled`() async throws {
    try await ScriptedServer.run { _ in
      [.text("HTTP/1.1 200 X\r\nContent-Length: 5\r\n\r\n"), .silence]
    } _: { server in
      let address = try #require(WebAddress(server.base))
      let exchange = try Exchange.sample(address)
      let task = Task { try await Self.send(exchange, allowing: [address.origin]) }
      await eventually { !server.requests.isEmpty }
      task.cancel()
      await #expect(throws: UpstreamError.cancelled) { try await task.value }
    }
  }
}
