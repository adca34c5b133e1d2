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
  /// A message, and who wants to know what became of it.
  struct Letter {
    let message: SealedMessage
    /// Called on the event loop, once; with nothing where the message was not sent.
    let completion: (PushOutcome?) -> Void
  }

  /// Where the connections lead.
  struct Way {
    let service: PushEndpoint.Origin
    /// The address that was checked; nothing where the name may lead anywhere.
    let address: SocketAddress?
    /// For https.
    let encryption: NIOSSLContext?
  }

  let now: @Sendable () -> Date
  private let loop: any EventLoop
  private let way: Way
  private let limits: PushSender.Limits
  private var waiting = CircularBuffer<Letter>()
  private var opening = 0
  private var open: [ObjectIdentifier: PushConnection] = [:]
  private var free: [PushConnection] = []
  /// How many messages have been under way for long, as of the last look.
  private var hanging = 0
  private var look: RepeatedTask?
  private var isClosed = false

  /// Makes the way; connections are made when something is sent.
  init(on loop: any EventLoop, way: Way, limits: PushSender.Limits, now: @escaping @Sendable () -> Date) {
    self.loop = loop
    self.way = way
    self.limits = limits
    self.now = now
  }

  /// Sends messages as soon as there are connections for them.
  func send(_ letters: [Letter]) {
    waiting.append(contentsOf: letters)
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
    let letters = waiting
    waiting = []
    for letter in letters { letter.completion(nil) }
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
    let room = min(limits.underWay + hanging, limits.connections)
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
          try pipeline.addHTTPClientHandlers(enableOutboundHeaderValidation: false)
          try pipeline.addHandler(PushConnection(of: me.value))
        }
      }
    let connected =
      if let address = way.address {
        bootstrap.connect(to: address)
      } else {
        bootstrap.connect(host: way.service.plainHost, port: way.service.port)
      }
    connected.whenFailure { error in me.value.failedToConnect(error) }
  }

  private func failedToConnect(_ error: any Error) {
    opening -= 1
    // Somebody has waited for this connection.
    if let letter = waiting.popFirst() { letter.completion(.unreachable("\(error)")) }
    proceed()
  }

  func opened(_ connection: PushConnection) {
    opening -= 1
    open[ObjectIdentifier(connection)] = connection
    guard !isClosed else { return connection.close() }
    freed(connection)
  }

  /// Takes a connection back that is in order and waits for nothing.
  func freed(_ connection: PushConnection) {
    if let letter = waiting.popFirst() { connection.send(letter) } else { free.append(connection) }
  }

  func closed(_ connection: PushConnection) {
    open[ObjectIdentifier(connection)] = nil
    free.removeAll { $0 === connection }
    proceed()
  }
}

extension PushEndpoint.Origin {
  /// The host without the brackets of an IPv6 address.
  fileprivate var plainHost: String { host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host }

  /// The name that the certificate has to have; for an address it is the connection's own.
  fileprivate var serverName: String? { NetworkAddress(plainHost) == nil ? host : nil }
}
