// Longbox
// SPDX-License-Identifier: MIT

import NIOCore

/// What the two handlers of a connection share: ``ByteGate`` before the HTTP decoder and ``RequestTracker``
/// after it.
///
/// It belongs to the connection's event loop.
final class ConnectionMonitor {
  /// The maximum number of requests that are parsed before their turn.
  private static let mostRequests = 8

  let limits: Limits
  let registered: RegisteredConnection
  let registry: ConnectionRegistry
  let floods: FloodLog
  let fairQueue: FairQueue
  var deadlines: ConnectionDeadlines
  /// The number of bytes written since the connection began.
  var written = 0
  /// Whether the server stops, so that the connection ends after the requests in progress.
  var isStopping = false
  /// Whether the gate holds back bytes or a read.
  var isHolding = false
  private var isResumeScheduled = false
  /// Makes the gate pass on what it holds back.
  var resume: () -> Void = {}

  init(
    _ registered: RegisteredConnection,
    in registry: ConnectionRegistry,
    limits: Limits,
    floods: FloodLog,
    fairQueue: FairQueue,
    at now: NIODeadline
  ) {
    self.registered = registered
    self.registry = registry
    self.limits = limits
    self.floods = floods
    self.fairQueue = fairQueue
    deadlines = ConnectionDeadlines(limits: limits, at: now)
  }

  /// Calls ``resume`` from the queue, if the gate holds anything back.
  func resumeFromQueue() {
    guard isHolding, !isResumeScheduled else { return }
    isResumeScheduled = true
    fairQueue.add { [self] in
      isResumeScheduled = false
      resume()
    }
  }

  /// Whether further requests must wait, since those before them are not answered yet.
  var hasEnoughRequests: Bool { deadlines.requestsInProgress >= Self.mostRequests }

  /// The maximum time between two requests at present.
  var idleTime: TimeAmount {
    TimeAmount(registry.isCrowded ? min(limits.crowdedIdleTime, limits.idleTime) : limits.idleTime)
  }
}
