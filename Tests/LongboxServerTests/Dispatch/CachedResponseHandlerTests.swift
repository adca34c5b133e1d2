// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing
import TestSupport

@testable import LongboxServer

/// Requests that are sent before earlier ones are answered.
@Suite("Pipelined requests") struct CachedResponseHandlerTests {
  private static func parts(_ path: String, method: HTTPRequest.Method = .get) -> [IncomingPart] {
    let head = HTTPRequest(method: method, scheme: "http", authority: "localhost", path: path)
    return [.head(IncomingRequest(head)), .end(nil)]
  }

  /// Answers addresses that begin with `/memory`; others go to the application.
  private func channel() throws -> EmbeddedChannel {
    let eventLoop = EmbeddedEventLoop()
    let fairQueue = FairQueue(eventLoop)
    let handler = CachedResponseHandler(now: { SettableTime.start }, fairQueue: fairQueue, unsent: .unlimited)
    { request in
      guard let path = request.head.path, path.hasPrefix("/memory") else { return nil }
      return CachedResponse(status: .ok, fields: [:], body: ResponseBytes(ByteBuffer(string: path)))
    }
    let channel = EmbeddedChannel(handler: handler, loop: eventLoop)
    try channel.connect(to: SocketAddress(ipAddress: "192.0.2.1", port: 1)).wait()
    return channel
  }

  /// The bodies that were sent so far.
  private func sent(_ channel: EmbeddedChannel) throws -> [String] {
    var bodies: [String] = []
    while let part = try channel.readOutbound(as: HTTPResponsePart.self) {
      if case .body(let bytes) = part { bodies.append(String(buffer: bytes)) }
    }
    return bodies
  }

  @Test func `wait while the client doesn't read`() throws {
    let channel = try channel()
    for part in Self.parts("/memory/1") { try channel.writeInbound(part) }
    #expect(try sent(channel) == ["/memory/1"])
    channel.setWritable(false)
    for number in 2...5 {
      for part in Self.parts("/memory/\(number)") { try channel.writeInbound(part) }
    }
    #expect(try sent(channel).isEmpty)
    channel.setWritable(true)
    #expect(try sent(channel) == ["/memory/2", "/memory/3", "/memory/4", "/memory/5"])
    for part in Self.parts("/memory/6") { try channel.writeInbound(part) }
    #expect(try sent(channel) == ["/memory/6"])
    _ = try channel.finish(acceptAlreadyClosed: true)
  }

  @Test func `are answered one per pass of the event loop`() throws {
    let channel = try channel()
    for number in 1...3 {
      for part in Self.parts("/memory/\(number)") { channel.pipeline.fireChannelRead(part) }
    }
    channel.pipeline.fireChannelReadComplete()
    #expect(try sent(channel) == ["/memory/1"])
    channel.embeddedEventLoop.advanceTime(by: .seconds(1))
    #expect(try sent(channel) == ["/memory/2", "/memory/3"])
    _ = try channel.finish(acceptAlreadyClosed: true)
  }

  @Test func `keep their order and their bodies when they go to the application`() throws {
    let channel = try channel()
    channel.setWritable(false)
    try channel.writeInbound(Self.parts("/form", method: .post)[0])
    try channel.writeInbound(IncomingPart.body(ByteBuffer(string: "body")))
    try channel.writeInbound(IncomingPart.end(nil))
    for part in Self.parts("/memory/1") { try channel.writeInbound(part) }
    #expect(try channel.readInbound(as: HTTPRequestPart.self) == nil)
    channel.setWritable(true)
    // The second one is in memory, but its turn comes after the first.
    #expect(try channel.pathsPassedOn() == ["/form", "/memory/1"])
    #expect(try sent(channel).isEmpty)
    _ = try channel.finish(acceptAlreadyClosed: true)
  }

  @Test(arguments: [
    ("keep-alive", true), ("Keep-Alive", true), ("close", false), ("keep-alive, upgrade", false),
  ])
  func `are answered from memory if they keep the connection`(field: String, isFromMemory: Bool) throws {
    let channel = try channel()
    var head = HTTPRequest(method: .get, scheme: "http", authority: "localhost", path: "/memory/1")
    head.headerFields[.connection] = field
    try channel.writeInbound(IncomingPart.head(IncomingRequest(head)))
    try channel.writeInbound(IncomingPart.end(nil))
    #expect(try sent(channel) == (isFromMemory ? ["/memory/1"] : []))
    #expect(try channel.pathsPassedOn() == (isFromMemory ? [] : ["/memory/1"]))
    _ = try channel.finish(acceptAlreadyClosed: true)
  }

  @Test func `don't wait once their body has begun`() throws {
    let channel = try channel()
    try channel.writeInbound(Self.parts("/form", method: .post)[0])
    channel.setWritable(false)
    try channel.writeInbound(IncomingPart.body(ByteBuffer(string: "body")))
    try channel.writeInbound(IncomingPart.end(nil))
    _ = try channel.readInbound(as: HTTPRequestPart.self)
    #expect(try channel.readInbound(as: HTTPRequestPart.self) == .body(ByteBuffer(string: "body")))
    #expect(try channel.readInbound(as: HTTPRequestPart.self) == .end(nil))
    _ = try channel.finish(acceptAlreadyClosed: true)
  }

  @Test func `come before the end of the client's side`() throws {
    final class Events: ChannelInboundHandler {
      typealias InboundIn = HTTPRequestPart
      var hasEnded = false

      func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let event = event as? ChannelEvent, event == .inputClosed { hasEnded = true }
      }
    }
    let channel = try channel()
    let events = Events()
    try channel.pipeline.syncOperations.addHandler(events)
    channel.setWritable(false)
    for part in Self.parts("/memory/1") { try channel.writeInbound(part) }
    channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
    #expect(!events.hasEnded)
    channel.setWritable(true)
    #expect(events.hasEnded)
    #expect(try sent(channel) == ["/memory/1"])
    _ = try channel.finish(acceptAlreadyClosed: true)
  }
}
