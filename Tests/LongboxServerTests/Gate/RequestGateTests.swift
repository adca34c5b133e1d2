// Longbox
// SPDX-License-Identifier: MIT

import HTTPTypes
import LongboxReaders
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing
import TestSupport

@testable import LongboxServer

@Suite("A rejected request") struct RequestGateTests {
  private static let foreign = HTTPRequest(method: .get, scheme: "http", authority: "evil.example", path: "/")

  private static func request(_ path: String, length: Int? = nil) -> HTTPRequest {
    var fields = HTTPFields()
    fields[.contentLength] = length.map { "\($0)" }
    return HTTPRequest(
      method: length == nil ? .get : .post,
      scheme: "http",
      authority: "localhost",
      path: path,
      headerFields: fields
    )
  }

  private func channel() throws -> EmbeddedChannel {
    let channel = EmbeddedChannel()
    var limits = Limits()
    limits.bodyLength = 10
    let incidents = IncidentLog(logger: LogRecorder().logger)
    let gate = RequestGate(
      forwarding: Forwarding(TrustedProxies(), isLoopback: false),
      basePath: BasePath(),
      hosts: HostNames(),
      addressLimit: 100,
      endpoints: EndpointTable([], limits: limits, incidents: incidents)
    )
    let registry = ConnectionRegistry(limits: limits, incidents: incidents)
    let monitor = ConnectionMonitor(
      try #require(registry.admit(channel, of: .unknown, at: channel.embeddedEventLoop.now)),
      in: registry,
      limits: limits,
      incidents: incidents,
      fairQueue: FairQueue(channel.embeddedEventLoop),
      at: channel.embeddedEventLoop.now
    )
    try channel.pipeline.syncOperations.addHandlers([
      RequestTracker(monitor),
      RequestGateHandler(gate),
      RequestGuard(incidents: incidents) { monitor.deadlines.requestsInProgress - 1 },
    ])
    try channel.connect(to: SocketAddress(ipAddress: "192.0.2.1", port: 1)).wait()
    return channel
  }

  private func receive(_ request: HTTPRequest, _ channel: EmbeddedChannel) throws {
    try channel.writeInbound(HTTPRequestPart.head(request))
    try channel.writeInbound(HTTPRequestPart.end(nil))
  }

  /// Lets the application write a response.
  private func respond(_ channel: EmbeddedChannel) throws {
    try channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .ok)))
    try channel.writeOutbound(HTTPResponsePart.body(ByteBuffer(string: "body")))
    try channel.writeOutbound(HTTPResponsePart.end(nil))
  }

  /// What was sent so far: the status of each head, and the ends.
  private func sent(_ channel: EmbeddedChannel) throws -> [String] {
    var parts: [String] = []
    while let part = try channel.readOutbound(as: HTTPResponsePart.self) {
      switch part {
      case .head(let head): parts.append("\(head.status.code)")
      case .body: break
      case .end: parts.append("end")
      }
    }
    return parts
  }

  @Test(arguments: [421, 414, 413])
  func `is answered after the requests before it`(status: Int) throws {
    let rejected =
      switch status {
      case 421: Self.foreign
      case 414: Self.request("/" + String(repeating: "a", count: 100))
      default: Self.request("/", length: 11)
      }
    let channel = try channel()
    try receive(Self.request("/1"), channel)
    try receive(Self.request("/2", length: 10), channel)
    try receive(rejected, channel)
    try receive(Self.request("/3"), channel)
    #expect(try channel.pathsLetIn() == ["/1", "/2"], "nothing more is passed on")
    #expect(try sent(channel).isEmpty)
    try respond(channel)
    #expect(try sent(channel) == ["200", "end"])
    #expect(channel.isActive)
    try respond(channel)
    #expect(try sent(channel) == ["200", "end", "\(status)", "end"])
    #expect(!channel.isActive)
    _ = try channel.finish(acceptAlreadyClosed: true)
  }

  @Test func `is answered at once if all others are`() throws {
    let channel = try channel()
    for _ in 0..<2 {
      try receive(Self.request("/1"), channel)
      try respond(channel)
    }
    #expect(try sent(channel) == ["200", "end", "200", "end"])
    try receive(Self.foreign, channel)
    #expect(try sent(channel) == ["421", "end"])
    #expect(!channel.isActive)
    _ = try channel.finish(acceptAlreadyClosed: true)
  }

  @Test func `waits for the final response, not for an interim one`() throws {
    let channel = try channel()
    try receive(Self.request("/1"), channel)
    try receive(Self.foreign, channel)
    try channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .continue)))
    #expect(try sent(channel) == ["100"])
    try respond(channel)
    #expect(try sent(channel) == ["200", "end", "421", "end"])
    _ = try channel.finish(acceptAlreadyClosed: true)
  }

  @Test func `waits for responses from memory, which wait for the client`() throws {
    let channel = try channel()
    let fairQueue = FairQueue(channel.embeddedEventLoop)
    let cached = CachedResponseHandler(now: { SettableTime.start }, fairQueue: fairQueue, unsent: .unlimited)
    { _ in
      CachedResponse(status: .ok, fields: [:], body: ResponseBytes(ByteBuffer(string: "memory")))
    }
    try channel.pipeline.syncOperations.addHandler(cached)
    try receive(Self.request("/1"), channel)
    #expect(try sent(channel) == ["200", "end"])
    channel.setWritable(false)
    try receive(Self.request("/2"), channel)
    try receive(Self.foreign, channel)
    #expect(try sent(channel).isEmpty)
    channel.setWritable(true)
    #expect(try sent(channel) == ["200", "end", "421", "end"])
    #expect(!channel.isActive)
    _ = try channel.finish(acceptAlreadyClosed: true)
  }

  @Test func `is not answered if the connection closes before`() throws {
    let channel = try channel()
    try receive(Self.request("/1"), channel)
    try receive(Self.foreign, channel)
    try channel.close().wait()
    #expect(throws: ChannelError.self) { try respond(channel) }
    #expect(try sent(channel).isEmpty)
    _ = try channel.finish(acceptAlreadyClosed: true)
  }

  @Test func `is the last one, even if the application writes more`() throws {
    let channel = try channel()
    try receive(Self.foreign, channel)
    #expect(try sent(channel) == ["421", "end"])
    #expect(throws: ChannelError.self) { try respond(channel) }
    #expect(try sent(channel).isEmpty)
    _ = try channel.finish(acceptAlreadyClosed: true)
  }
}
