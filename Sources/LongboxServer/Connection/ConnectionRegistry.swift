// Longbox
// SPDX-License-Identifier: MIT

import LongboxReaders
import NIOCore
import Synchronization

/// Counts the connections of each address and in all, and decides which one ends when there are too many.
///
/// A new connection beyond the limit closes the longest idle one of the address that has most. So an attacker
/// with many connections can't lock others out.
final class ConnectionRegistry: Sendable {
  private struct State {
    var byAddress: [ClientAddress: [RegisteredConnection]] = [:]
    var count = 0

    mutating func add(_ connection: RegisteredConnection) {
      byAddress[connection.address, default: []].append(connection)
      count += 1
    }

    mutating func remove(_ connection: RegisteredConnection) {
      guard let index = byAddress[connection.address]?.firstIndex(where: { $0 === connection }) else {
        return
      }
      byAddress[connection.address]?.remove(at: index)
      if byAddress[connection.address]?.isEmpty == true { byAddress[connection.address] = nil }
      count -= 1
    }

    /// The connection to close for a new one of an address; nil if the new one must be refused.
    func victim(for address: ClientAddress) -> RegisteredConnection? {
      let most = byAddress.values.lazy.map(\.count).max() ?? 0
      let isHeaviest = byAddress[address]?.count ?? 0 >= most
      let candidates =
        isHeaviest
        ? byAddress[address] ?? [] : byAddress.values.filter { $0.count == most }.flatMap { $0 }
      // A request is interrupted only if the new connection's address has fewer connections, and never one from loopback.
      return candidates.filter { !$0.isBusy || (!isHeaviest && $0.address != .loopback) }.firstToClose
    }
  }

  private let limits: Limits
  private let incidents: IncidentLog
  private let state = Mutex(State())
  private let crowded = Atomic(false)

  init(limits: Limits, incidents: IncidentLog) {
    self.limits = limits
    self.incidents = incidents
  }

  /// Whether three quarters of all connections are in use.
  var isCrowded: Bool { crowded.load(ordering: .relaxed) }

  var count: Int { state.withLock { $0.count } }

  /// Counts a new connection until it closes, and closes another if necessary.
  /// - Returns: the connection; nil if it must be closed.
  func admit(
    _ channel: any Channel,
    of address: ClientAddress,
    at now: NIODeadline
  ) -> RegisteredConnection? {
    let connection = RegisteredConnection(channel, address, at: now)
    let (isAdmitted, victim, incident) = state.withLock {
      (state) -> (Bool, RegisteredConnection?, Incident?) in
      let own = state.byAddress[address] ?? []
      var victim: RegisteredConnection?
      var incident: Incident?
      if own.count >= perAddress(address) {
        incident = .connectionsOfAddress
        victim = own.filter { !$0.isBusy }.firstToClose
        guard victim != nil else { return (false, nil, incident) }
      } else if state.count >= inAll(address) {
        incident = .connectionsInAll
        victim = state.victim(for: address)
        guard victim != nil else { return (false, nil, incident) }
      }
      if let victim { state.remove(victim) }
      state.add(connection)
      noteCount(state.count)
      return (true, victim, incident)
    }
    if let incident { incidents.note(incident, "\((victim ?? connection).address)") }
    victim?.channel.close(promise: nil)
    guard isAdmitted else { return nil }
    channel.closeFuture.whenComplete { [weak self] _ in self?.remove(connection) }
    return connection
  }

  private func remove(_ connection: RegisteredConnection) {
    state.withLock { state in
      state.remove(connection)
      noteCount(state.count)
    }
  }

  private func noteCount(_ count: Int) {
    crowded.store(count * 4 >= limits.connections * 3, ordering: .relaxed)
  }

  private func perAddress(_ address: ClientAddress) -> Int {
    address == .loopback ? limits.connectionsFromLoopback : limits.connectionsPerAddress
  }

  private func inAll(_ address: ClientAddress) -> Int {
    address == .loopback ? limits.connections : max(1, limits.connections - limits.reservedConnections)
  }
}

extension [RegisteredConnection] {
  fileprivate var firstToClose: RegisteredConnection? { self.min { $0.closingOrder < $1.closingOrder } }
}

/// A connection that is counted, with the time of its last activity.
final class RegisteredConnection: Sendable {
  let channel: any Channel
  let address: ClientAddress
  /// Nanoseconds of the last change or progress; the highest bit is 1 while a request is in progress.
  private let activity: Atomic<UInt64>

  private static let busy: UInt64 = 1 << 63

  init(_ channel: any Channel, _ address: ClientAddress, at now: NIODeadline) {
    self.channel = channel
    self.address = address
    activity = Atomic(now.uptimeNanoseconds)
  }

  /// Notes that no request is in progress since a time.
  func noteIdle(since time: NIODeadline) {
    activity.store(time.uptimeNanoseconds, ordering: .relaxed)
  }

  /// Notes that a request in progress made progress.
  func noteBusy(at time: NIODeadline) {
    activity.store(time.uptimeNanoseconds | Self.busy, ordering: .relaxed)
  }

  var isBusy: Bool { activity.load(ordering: .relaxed) & Self.busy != 0 }

  /// The order in which connections are closed: idle ones first, then those longest without progress.
  var closingOrder: UInt64 { activity.load(ordering: .relaxed) }
}
