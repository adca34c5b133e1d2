// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import HTTPTypes
import LongboxReaders
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@testable import LongboxServer

@Suite("A connection's gate") struct ByteGateTests {
  /// A connection without an HTTP decoder: the test says which bytes were requests.
  private final class Bench {
    let channel = EmbeddedChannel()
    let recorder = LogRecorder()
    let monitor: ConnectionMonitor
    let registry: ConnectionRegistry

    init(_ change: (inout Limits) -> Void = { _ in }) throws {
      var limits = Limits()
      change(&limits)
      let incidents = IncidentLog(logger: recorder.logger)
      registry = ConnectionRegistry(limits: limits, incidents: incidents)
      let connection = try #require(registry.admit(channel, of: .v4(1), at: channel.embeddedEventLoop.now))
      monitor = ConnectionMonitor(
        connection,
        in: registry,
        limits: limits,
        incidents: incidents,
        fairQueue: FairQueue(channel.embeddedEventLoop),
        at: channel.embeddedEventLoop.now
      )
      try channel.pipeline.syncOperations.addHandler(ByteGate(monitor))
      try channel.connect(to: SocketAddress(ipAddress: "192.0.2.1", port: 1)).wait()
    }

    func receive(_ count: Int) throws { try channel.writeInbound(ByteBuffer(repeating: 65, count: count)) }

    func advance(seconds: Int) {
      for _ in 0..<seconds { channel.embeddedEventLoop.advanceTime(by: .seconds(1)) }
    }

    var now: NIODeadline { channel.embeddedEventLoop.now }

    /// The number of bytes that passed so far.
    func passed() throws -> Int {
      var count = 0
      while let bytes = try channel.readInbound(as: ByteBuffer.self) { count += bytes.readableBytes }
      return count
    }

    func beginRequests(_ count: Int) {
      for _ in 0..<count {
        monitor.deadlines.headArrived(at: now)
        monitor.deadlines.requestEnded()
      }
    }

    func endRequests(_ count: Int) {
      for _ in 0..<count { monitor.deadlines.responseEnded(at: now) }
      monitor.resume()
    }
  }

  @Test func `lets bytes pass`() throws {
    let bench = try Bench()
    try bench.receive(100)
    try bench.receive(60_000)
    #expect(try bench.passed() == 60_100)
    #expect(!bench.monitor.isHolding)
  }

  @Test func `keeps bytes while enough requests wait for their answers`() throws {
    let bench = try Bench()
    bench.beginRequests(8)
    try bench.receive(10_000)
    #expect(try bench.passed() == 0)
    #expect(bench.monitor.isHolding)
    bench.endRequests(1)
    #expect(try bench.passed() == 10_000)
    _ = try bench.channel.finish(acceptAlreadyClosed: true)
  }

  @Test func `keeps bytes while the client doesn't read`() throws {
    let bench = try Bench()
    bench.channel.isWritable = false
    try bench.receive(10_000)
    bench.monitor.resume()
    #expect(try bench.passed() == 0)
    bench.channel.isWritable = true
    bench.channel.pipeline.fireChannelWritabilityChanged()
    #expect(try bench.passed() == 10_000)
    _ = try bench.channel.finish(acceptAlreadyClosed: true)
  }

  @Test func `closes when the client sends too much without reading`() throws {
    let bench = try Bench()
    bench.channel.isWritable = false
    for _ in 0..<20 { try? bench.receive(16_384) }
    #expect(!bench.channel.isActive)
    #expect(bench.recorder.lines.map(\.text) == [Incident.tooManyRequests.sentence])
  }

  @Test func `closes an idle connection without a log entry`() throws {
    let bench = try Bench()
    bench.advance(seconds: 58)
    #expect(bench.channel.isActive)
    bench.advance(seconds: 3)
    #expect(!bench.channel.isActive)
    #expect(bench.recorder.lines.isEmpty)
    #expect(bench.registry.count == 0)
  }

  @Test func `closes an idle connection sooner when there are many`() throws {
    let bench = try Bench { $0.connections = 1 }
    bench.advance(seconds: 7)
    #expect(!bench.channel.isActive)
  }

  @Test func `closes a connection whose request comes byte by byte`() throws {
    let bench = try Bench()
    for _ in 0..<12 where bench.channel.isActive {
      bench.channel.read()
      try bench.receive(1)
      bench.channel.read()
      bench.advance(seconds: 1)
    }
    #expect(!bench.channel.isActive)
    #expect(bench.recorder.lines.map(\.text) == [Incident.slowHead.sentence])
  }

  @Test func `closes an idle connection at once when the server stops`() throws {
    let bench = try Bench()
    bench.channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
    #expect(!bench.channel.isActive)
  }

  @Test func `gives a request time when the server stops`() throws {
    let bench = try Bench()
    bench.beginRequests(1)
    bench.channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
    bench.advance(seconds: 9)
    #expect(bench.channel.isActive)
    // Further requests don't count.
    try bench.receive(100)
    #expect(try bench.passed() == 0)
    bench.advance(seconds: 2)
    #expect(!bench.channel.isActive)
  }

  @Test func `closes after the last response when the server stops`() throws {
    let bench = try Bench()
    try bench.channel.pipeline.syncOperations.addHandler(RequestTracker(bench.monitor))
    bench.beginRequests(2)
    bench.channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
    bench.monitor.deadlines.responseEnded(at: bench.now)
    #expect(bench.channel.isActive)
    bench.monitor.deadlines.responseEnded(at: bench.now)
    bench.advance(seconds: 1)
    #expect(!bench.channel.isActive)
  }
}
