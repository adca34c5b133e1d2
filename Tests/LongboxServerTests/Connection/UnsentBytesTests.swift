// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import HTTPTypes
import LongboxReaders
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing
import TestSupport

@testable import LongboxServer

extension UnsentBytes {
  /// A counter that refuses nothing.
  static var unlimited: UnsentBytes {
    UnsentBytes(limit: .max, limitOfClient: .max, incidents: IncidentLog(logger: .silent))
  }
}

@Suite("Bytes that wait for clients") struct UnsentBytesTests {
  private static let one = ClientAddress([192, 0, 2, 1])
  private static let two = ClientAddress([192, 0, 2, 2])

  @Test func `are limited for an address and in all, and are free again when a response has ended`() throws {
    let recorder = LogRecorder()
    let unsent = UnsentBytes(limit: 100, limitOfClient: 60, incidents: IncidentLog(logger: recorder.logger))
    var shares = [try #require(unsent.share(40, for: Self.one))]
    #expect(unsent.share(30, for: Self.one) == nil, "more than an address may have")
    shares.append(try #require(unsent.share(60, for: Self.two)))
    #expect(unsent.share(1, for: Self.one) == nil, "more than all may have")
    #expect(unsent.total == 100)
    shares.removeFirst()
    #expect(unsent.total == 60)
    shares.append(try #require(unsent.share(40, for: Self.one)))
    shares = []
    #expect(unsent.total == 0)
    #expect(recorder.count(of: .unsentBytes) > 0)
  }

  @Test func `may be more than the limit for one response alone`() throws {
    let unsent = UnsentBytes(limit: 100, limitOfClient: 60, incidents: IncidentLog(logger: .silent))
    let long = try #require(unsent.share(.max, for: Self.one))
    #expect(unsent.share(1, for: Self.one) == nil)
    #expect(unsent.share(1, for: Self.two) == nil)
    withExtendedLifetime(long) {}
  }

  @Test func `count once where responses share them`() throws {
    let unsent = UnsentBytes(limit: 100, limitOfClient: 60, incidents: IncidentLog(logger: .silent))
    var shares = try (0..<5).map { _ in try #require(unsent.share(50, for: Self.one, of: "a")) }
    shares.append(try #require(unsent.share(50, for: Self.two, of: "a")))
    #expect(unsent.total == 50)
    #expect(unsent.share(50, for: Self.one, of: "b") == nil)
    shares.removeFirst(5)
    #expect(unsent.total == 50)
    shares.append(try #require(unsent.share(50, for: Self.one, of: "b")))
    shares = []
    #expect(unsent.total == 0)
  }

  /// A connection on which any request gets a response of `length` bytes from memory.
  private func channel(_ length: Int, _ unsent: UnsentBytes) throws -> EmbeddedChannel {
    let eventLoop = EmbeddedEventLoop()
    let bytes = [UInt8](repeating: 7, count: length)
    let handler = CachedResponseHandler(
      now: { SettableTime.start },
      fairQueue: FairQueue(eventLoop),
      unsent: unsent
    ) { _ in CachedResponse(status: .ok, fields: [.eTag: "\"a\""], body: ResponseBytes(bytes[...])) }
    let channel = EmbeddedChannel(handler: handler, loop: eventLoop)
    try channel.connect(to: SocketAddress(ipAddress: "192.0.2.1", port: 1)).wait()
    return channel
  }

  private func request(_ channel: EmbeddedChannel, _ path: String = "/", from client: String? = nil) throws {
    let head = HTTPRequest(method: .get, scheme: "http", authority: "localhost", path: path)
    let incoming = IncomingRequest(head, from: client.flatMap { IPAddress(text: $0) })
    try channel.writeInbound(IncomingPart.head(incoming))
    try channel.writeInbound(IncomingPart.end(nil))
  }

  /// The bytes that were sent since the last call, and how many responses have ended.
  private func sent(_ channel: EmbeddedChannel) throws -> (bytes: Int, ends: Int) {
    var sent = (bytes: 0, ends: 0)
    while let part = try channel.readOutbound(as: HTTPResponsePart.self) {
      switch part {
      case .head: break
      case .body(let bytes): sent.bytes += bytes.readableBytes
      case .end: sent.ends += 1
      }
    }
    return sent
  }

  @Test func `of a response from memory are one portion while the client doesn't read`() throws {
    let unsent = UnsentBytes.unlimited
    let length = 10 * ResponseBytes.portion + 5
    let channel = try channel(length, unsent)
    channel.isWritable = false
    channel.isWritable = true
    try request(channel)
    #expect(try sent(channel) == (length, 1))
    #expect(unsent.total == 0)

    let slow = try self.channel(length, unsent)
    try slow.pipeline.syncOperations.addHandler(StopsReading(), position: .first)
    try request(slow)
    try request(slow, "/next")
    #expect(try sent(slow) == (ResponseBytes.portion, 0))
    #expect(unsent.total == length)
    slow.setWritable(true)
    #expect(try sent(slow) == (ResponseBytes.portion, 0), "it stops again")
    slow.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
    for _ in 2..<10 {
      slow.setWritable(true)
      #expect(try sent(slow).bytes == ResponseBytes.portion)
    }
    slow.setWritable(true)
    #expect(try sent(slow) == (5, 1))
    slow.setWritable(true)
    #expect(try sent(slow) == (ResponseBytes.portion, 0), "the next response")
    slow.pipeline.fireChannelInactive()
    #expect(unsent.total == 0)
    _ = try channel.finish(acceptAlreadyClosed: true)
    _ = try slow.finish(acceptAlreadyClosed: true)
  }

  /// A proxy has all its readers' requests on connections from one address.
  @Test func `of a response from memory count for the reader whom a trusted proxy names`() throws {
    let unsent = UnsentBytes(limit: .max, limitOfClient: 100, incidents: IncidentLog(logger: .silent))
    let waiting = try #require(unsent.share(100, for: Self.two))
    let channel = try channel(2 * ResponseBytes.portion, unsent)
    try request(channel, "/long", from: "192.0.2.2")
    #expect(try channel.pathsPassedOn() == ["/long"])
    let another = try self.channel(2 * ResponseBytes.portion, unsent)
    try request(another, "/long", from: "192.0.2.3")
    #expect(try sent(another).ends == 1)
    withExtendedLifetime(waiting) {}
    _ = try channel.finish(acceptAlreadyClosed: true)
    _ = try another.finish(acceptAlreadyClosed: true)
  }

  @Test func `go to the application, which refuses, when there are too many`() throws {
    let unsent = UnsentBytes(limit: 100, limitOfClient: 100, incidents: IncidentLog(logger: .silent))
    let other = try #require(unsent.share(100, for: Self.two))
    let channel = try channel(2 * ResponseBytes.portion, unsent)
    try request(channel, "/long")
    #expect(try sent(channel) == (0, 0))
    #expect(try channel.pathsPassedOn() == ["/long"])
    withExtendedLifetime(other) {}
    _ = try channel.finish(acceptAlreadyClosed: true)
  }
}

/// A client that takes one portion whenever the test makes it read.
private final class StopsReading: ChannelOutboundHandler {
  typealias OutboundIn = HTTPResponsePart

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if case .body = unwrapOutboundIn(data) { (context.channel as? EmbeddedChannel)?.isWritable = false }
    context.write(data, promise: promise)
  }
}
