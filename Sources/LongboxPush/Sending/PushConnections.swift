// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// The connections to one push service, and the messages that wait for one of them.
///
/// All of it lives on one event loop, so that a message costs no change of thread; it is touched there alone. AsyncHTTPClient,
/// which everything else here goes by, takes four times as much of the processor for a message (decision 015).
///
/// So many messages are under way at a time; those that have been for long don't count, up to a bound, so that a few that
/// hang hold up nobody.
final class PushConnections {
  /// Where the connections lead.
  struct Way {
    let service: PushEndpoint.Origin
    /// The addresses that were checked; none where the name may lead anywhere.
    let addresses: [SocketAddress]
    /// For https.
    let encryption: NIOSSLContext?
  }

  let now: @Sendable () -> Date
  private let loop: any EventLoop
  private let way: Way
  private let limits: PushSender.Limits
  private var waiting = CircularBuffer<PushRequest>()
  private var opening = 0
  private var open: [ObjectIdentifier: PushConnection] = [:]
  private var free: [PushConnection] = []
  /// How many messages have been under way for long, as of the last look.
  private var hanging = 0
  private var look: RepeatedTask?
  private var isClosed = false
  /// Which address is used.
  private var place = 0
  /// How many connections could not be made since the last one that could.
  private var failures = 0
  /// How many connections the service lets us have, as far as it has shown.
  private var allowed = Int.max

  /// Makes the way; connections are made when something is sent.
  init(on loop: any EventLoop, way: Way, limits: PushSender.Limits, now: @escaping @Sendable () -> Date) {
    self.loop = loop
    self.way = way
    self.limits = limits
    self.now = now
  }

  /// Sends messages as soon as there are connections for them.
  func send(_ requests: [PushRequest]) {
    waiting.append(contentsOf: requests)
    if look == nil, !isClosed {
      let me = NIOLoopBound(self, eventLoop: loop)
      look = loop.scheduleRepeatedTask(initialDelay: limits.look, delay: limits.look) { _ in
        me.value.lookAround()
      }
    }
    proceed()
  }

  /// Gives back the messages that were not sent yet.
  func withdraw() {
    let requests = waiting
    waiting = []
    for request in requests { request.completion(.unsent) }
  }

  /// Closes all connections, whatever is under way.
  func close() {
    isClosed = true
    look?.cancel()
    look = nil
    withdraw()
    for connection in open.values { connection.close() }
  }

  private func proceed() {
    while !waiting.isEmpty, let connection = free.popLast() { connection.send(waiting.removeFirst()) }
    let room = min(limits.underWay + hanging, limits.connections, allowed)
    while !isClosed, opening < waiting.count, opening + open.count < room { connect() }
  }

  /// Tells those that hang from those that have only just been sent, and gives up what is late.
  private func lookAround() {
    let now = NIODeadline.now()
    hanging = 0
    for connection in open.values {
      guard let start = connection.busySince else { continue }
      if now - start > TimeAmount(limits.time) {
        connection.giveUp()
      } else if now - start > TimeAmount(limits.soon) {
        hanging += 1
      }
    }
    proceed()
  }

  // MARK: - Connections

  private func connect() {
    opening += 1
    let me = NIOLoopBound(self, eventLoop: loop)
    let bootstrap = ClientBootstrap(group: loop)
      .connectTimeout(TimeAmount(limits.connectTime))
      .channelInitializer { [way] channel in
        channel.eventLoop.makeCompletedFuture {
          let pipeline = channel.pipeline.syncOperations
          if let encryption = way.encryption {
            try pipeline.addHandler(
              NIOSSLClientHandler(context: encryption, serverHostname: way.service.serverName)
            )
          }
          // What goes into a head was checked when it came (``PushEndpoint``), or is our own.
          try pipeline.addHTTPClientHandlers(
            enableOutboundHeaderValidation: false,
            decoderLimitConfiguration: Self.headLimits
          )
          try pipeline.addHandler(PushConnection(of: me.value))
        }
      }
    let connected =
      if !way.addresses.isEmpty {
        bootstrap.connect(to: way.addresses[place % way.addresses.count])
      } else {
        bootstrap.connect(host: way.service.plainHost, port: way.service.port)
      }
    connected.whenFailure { error in me.value.failedToConnect(error) }
  }

  /// How much of a head is read of an answer.
  private static var headLimits: NIOHTTPDecoderLimitConfiguration {
    var limits = NIOHTTPDecoderLimitConfiguration()
    limits.maxHeaderFieldSize = 4096
    limits.maxHeaderListSize = 8192
    limits.maxHeaderFieldCount = 64
    return limits
  }

  private func failedToConnect(_ error: any Error) {
    opening -= 1
    failures += 1
    if !open.isEmpty {
      // It does not take more; those that there are carry the rest.
      allowed = open.count
    } else if opening == 0 {
      // Every connection attempt failed; try the next address.
      place += 1
      if place >= way.addresses.count || way.addresses.isEmpty { fail(with: error) }
    }
    proceed()
  }

  /// Gives up as many messages as have waited for connections.
  private func fail(with error: any Error) {
    let count = max(1, failures / max(1, way.addresses.count))
    place = 0
    failures = 0
    for _ in 0..<min(count, waiting.count) { waiting.popFirst()?.completion(.unreachable("\(error)")) }
  }

  func opened(_ connection: PushConnection) {
    opening -= 1
    failures = 0
    open[ObjectIdentifier(connection)] = connection
    guard !isClosed else { return connection.close() }
    freed(connection)
  }

  /// Takes a connection back that is in order and waits for nothing.
  func freed(_ connection: PushConnection) {
    if let request = waiting.popFirst() { connection.send(request) } else { free.append(connection) }
  }

  /// Sends nothing more over a connection.
  func closing(_ connection: PushConnection) {
    free.removeAll { $0 === connection }
  }

  func closed(_ connection: PushConnection) {
    open[ObjectIdentifier(connection)] = nil
    closing(connection)
    if open.isEmpty { allowed = .max }
    proceed()
  }
}

extension PushEndpoint.Origin {
  /// The host without the brackets of an IPv6 address.
  fileprivate var plainHost: String { host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host }

  /// The name that the certificate has to have; for an address it is the connection's own.
  fileprivate var serverName: String? { NetworkAddress(plainHost) == nil ? host : nil }
}
