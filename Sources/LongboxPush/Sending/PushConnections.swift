// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// The connections to one push service, and the queue of messages.
///
/// All state is confined to one event loop, so that a message costs no thread switch. AsyncHTTPClient, used
/// everywhere else, takes four times the CPU time per message (decision 015).
///
/// The number of messages in progress is limited. Slow ones don't count, up to a bound, so that a few that
/// hang don't delay the others.
final class PushConnections {
  struct Route {
    let service: PushEndpoint.Origin
    /// The checked addresses; empty if any address is allowed.
    let addresses: [SocketAddress]
    let encryption: NIOSSLContext?
  }

  let now: @Sendable () -> Date
  private let loop: any EventLoop
  private let route: Route
  private let limits: PushSender.Limits
  private var waiting = CircularBuffer<PushRequest>()
  private var opening = 0
  private var open: [ObjectIdentifier: PushConnection] = [:]
  private var free: [PushConnection] = []
  /// The number of slow messages at the last check.
  private var slowMessages = 0
  private var look: RepeatedTask?
  private var isClosed = false
  private var place = 0
  /// Failed connection attempts since the last success.
  private var failures = 0
  /// How many connections the service accepts, as observed so far.
  private var allowed = Int.max

  /// Makes an empty pool, which connects when something is sent.
  init(on loop: any EventLoop, route: Route, limits: PushSender.Limits, now: @escaping @Sendable () -> Date) {
    self.loop = loop
    self.route = route
    self.limits = limits
    self.now = now
  }

  /// Queues messages and sends them as connections become free.
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

  /// Ends all queued messages as unsent.
  func withdraw() {
    let requests = waiting
    waiting = []
    for request in requests { request.completion(.unsent) }
  }

  /// Closes all connections, even those in use.
  func close() {
    isClosed = true
    look?.cancel()
    look = nil
    withdraw()
    for connection in open.values { connection.close() }
  }

  private func proceed() {
    while !waiting.isEmpty, let connection = free.popLast() { connection.send(waiting.removeFirst()) }
    let room = min(limits.underWay + slowMessages, limits.connections, allowed)
    while !isClosed, opening < waiting.count, opening + open.count < room { connect() }
  }

  /// Counts slow messages, and gives up late ones.
  private func lookAround() {
    let now = NIODeadline.now()
    slowMessages = 0
    for connection in open.values {
      guard let start = connection.busySince else { continue }
      if now - start > TimeAmount(limits.time) {
        connection.giveUp()
      } else if now - start > TimeAmount(limits.soon) {
        slowMessages += 1
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
      .channelInitializer { [route] channel in
        channel.eventLoop.makeCompletedFuture {
          let pipeline = channel.pipeline.syncOperations
          if let encryption = route.encryption {
            try pipeline.addHandler(
              NIOSSLClientHandler(context: encryption, serverHostname: route.service.serverName)
            )
          }
          // The input of request heads is validated (``PushEndpoint``) or our own.
          try pipeline.addHTTPClientHandlers(
            enableOutboundHeaderValidation: false,
            decoderLimitConfiguration: Self.headLimits
          )
          try pipeline.addHandler(PushConnection(of: me.value))
        }
      }
    let connected =
      if !route.addresses.isEmpty {
        bootstrap.connect(to: route.addresses[place % route.addresses.count])
      } else {
        bootstrap.connect(host: route.service.plainHost, port: route.service.port)
      }
    connected.whenFailure { error in me.value.failedToConnect(error) }
  }

  /// Limits for the head of an answer.
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
      // The service accepts no more connections; use those that are open.
      allowed = open.count
    } else if opening == 0 {
      // Every connection attempt failed; try the next address.
      place += 1
      if place >= route.addresses.count || route.addresses.isEmpty { fail(with: error) }
    }
    proceed()
  }

  /// Fails as many queued messages as connections failed.
  private func fail(with error: any Error) {
    let count = max(1, failures / max(1, route.addresses.count))
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

  /// Takes back a usable, idle connection.
  func freed(_ connection: PushConnection) {
    if let request = waiting.popFirst() { connection.send(request) } else { free.append(connection) }
  }

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
  /// The host without IPv6 brackets.
  fileprivate var plainHost: String { host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host }

  /// The name to verify in the certificate; nil for an IP address, which NIOSSL takes from the connection.
  fileprivate var serverName: String? { NetworkAddress(plainHost) == nil ? host : nil }
}
