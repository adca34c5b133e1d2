// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import Foundation
import LongboxReaders
import NIOCore
import NIOEmbedded
import Testing

@testable import LongboxServer

@Suite("Too many connections") struct ConnectionRegistryTests {
  private final class Bench {
    let registry: ConnectionRegistry
    let recorder = LogRecorder()
    private var time = NIODeadline.uptimeNanoseconds(0)

    init(_ change: (inout Limits) -> Void) {
      var limits = Limits()
      change(&limits)
      registry = ConnectionRegistry(limits: limits, incidents: IncidentLog(logger: recorder.logger))
    }

    /// Opens a connection, one second after the last.
    func open(_ address: ClientAddress, isBusy: Bool = false) -> (
      channel: EmbeddedChannel, isAdmitted: Bool
    ) {
      time = time + .seconds(1)
      let channel = EmbeddedChannel()
      _ = try? channel.connect(to: SocketAddress(ipAddress: "192.0.2.1", port: 1)).wait()
      let connection = registry.admit(channel, of: address, at: time)
      if isBusy { connection?.noteBusy(at: time) }
      return (channel, connection != nil)
    }
  }

  private static func stranger(_ number: UInt32) -> ClientAddress { .v4(number) }

  @Test func `of one address end its longest idle one`() {
    let bench = Bench { $0.connectionsPerAddress = 3 }
    let busy = bench.open(Self.stranger(1), isBusy: true)
    let idle = (0..<2).map { _ in bench.open(Self.stranger(1)) }
    let other = bench.open(Self.stranger(2))
    #expect(bench.open(Self.stranger(1)).isAdmitted)
    #expect(!idle[0].channel.isActive)
    #expect(idle[1].channel.isActive && busy.channel.isActive && other.channel.isActive)
    #expect(bench.registry.count == 4)
    #expect(bench.recorder.lines.map(\.text) == [Incident.connectionsOfAddress.sentence])
  }

  @Test func `of one address are refused while all have a request in progress`() {
    let bench = Bench { $0.connectionsPerAddress = 2 }
    let first = (0..<2).map { _ in bench.open(Self.stranger(1), isBusy: true) }
    #expect(!bench.open(Self.stranger(1)).isAdmitted)
    #expect(first.count(where: \.channel.isActive) == 2)
    #expect(bench.registry.count == 2)
    #expect(bench.open(Self.stranger(2)).isAdmitted)
  }

  @Test func `in all end one of the address that has most`() {
    let bench = Bench {
      $0.connections = 7
      $0.reservedConnections = 1
    }
    let few = bench.open(Self.stranger(1))
    let many = (0..<5).map { _ in bench.open(Self.stranger(2), isBusy: true) }
    // Even one with a request in progress, since its address has more than its share.
    #expect(bench.open(Self.stranger(3)).isAdmitted)
    #expect(!many[0].channel.isActive)
    #expect(many.count(where: \.channel.isActive) == 4 && few.channel.isActive)
    // But not for a further one of the same address.
    #expect(!bench.open(Self.stranger(2)).isAdmitted)
    #expect(bench.registry.count == 6)
  }

  @Test func `of many addresses end the longest idle one`() {
    let bench = Bench {
      $0.connections = 5
      $0.reservedConnections = 1
    }
    let all = (1...4).map { bench.open(Self.stranger(UInt32($0)), isBusy: $0 == 1) }
    #expect(bench.open(Self.stranger(9)).isAdmitted)
    #expect(all.map(\.channel.isActive) == [true, false, true, true])
  }

  @Test func `of strangers leave a reserve for this machine`() {
    let bench = Bench {
      $0.connections = 6
      $0.reservedConnections = 2
      $0.connectionsFromLoopback = 3
    }
    let strangers = (0..<4).map { _ in bench.open(Self.stranger(1), isBusy: true) }
    for _ in 0..<2 { #expect(bench.open(.loopback).isAdmitted) }
    #expect(strangers.count(where: \.channel.isActive) == 4)
    // Beyond the reserve the same rules hold.
    #expect(bench.open(.loopback).isAdmitted)
    #expect(strangers.count(where: \.channel.isActive) == 3)
    // Its own limit holds, too.
    #expect(bench.open(.loopback).isAdmitted)
    #expect(bench.registry.count == 6)
  }

  @Test func `are fewer after some have closed`() throws {
    let bench = Bench { $0.connectionsPerAddress = 2 }
    let first = (0..<2).map { _ in bench.open(Self.stranger(1), isBusy: true) }
    try first[0].channel.close().wait()
    first[0].channel.embeddedEventLoop.run()
    #expect(bench.registry.count == 1)
    #expect(bench.open(Self.stranger(1)).isAdmitted)
  }

  @Test func `make idle ones end sooner`() {
    let bench = Bench {
      $0.connections = 8
      $0.reservedConnections = 1
    }
    for number in 1...5 { _ = bench.open(Self.stranger(UInt32(number))) }
    #expect(!bench.registry.isCrowded)
    _ = bench.open(Self.stranger(6))
    #expect(bench.registry.isCrowded)
  }
}

@Suite("Accepting connections") struct AcceptPauseTests {
  /// What the handler last set, without which NIO would try again at once.
  private func readsAutomatically(_ channel: EmbeddedChannel) -> Bool? {
    channel.options.last { $0.option is ChannelOptions.Types.AutoReadOption }?.value as? Bool
  }

  @Test(arguments: [EMFILE, ENFILE, ENOBUFS, ENOMEM])
  func `pauses for a second if the process can open no more files`(code: Int32) throws {
    let channel = EmbeddedChannel(handler: AcceptPause())
    let error = IOError(errnoCode: code, reason: "accept")
    channel.pipeline.fireErrorCaught(error)
    #expect(throws: IOError.self) { try channel.throwIfErrorCaught() }
    channel.embeddedEventLoop.run()
    #expect(readsAutomatically(channel) == false)
    channel.embeddedEventLoop.advanceTime(by: .milliseconds(999))
    #expect(readsAutomatically(channel) == false)
    channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))
    #expect(readsAutomatically(channel) == true)
  }

  @Test func `goes on after another error`() throws {
    let channel = EmbeddedChannel(handler: AcceptPause())
    channel.pipeline.fireErrorCaught(IOError(errnoCode: ECONNABORTED, reason: "accept"))
    #expect(throws: IOError.self) { try channel.throwIfErrorCaught() }
    channel.embeddedEventLoop.advanceTime(by: .seconds(2))
    #expect(readsAutomatically(channel) == nil)
  }
}
