// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import Synchronization

/// A pool of connections, made on demand; when all are in use, callers wait in a queue.
final class PostgresPool: Sendable {
  /// A caller that waits for a connection; it gets nil when its time is over or the pool was closed.
  private struct Waiter {
    let id: UInt64
    let deadline: ContinuousClock.Instant
    let continuation: CheckedContinuation<PostgresConnection?, Never>
  }

  private struct State {
    var idle: [PostgresConnection] = []
    var made = 0
    var waiting: [Waiter] = []
    /// Whether a task removes the waiters whose time is over.
    var isExpiring = false
    var nextID: UInt64 = 0
    var isClosed = false
    /// The time since the database last answered; nil if no component asks it regularly.
    ///
    /// It isn't in a `Mutex` of its own, because each access would wrap the closure once more.
    var silence: (@Sendable () -> Duration)?
    /// When a call last succeeded.
    var lastSuccess: ContinuousClock.Instant?
    /// When a call was last let through although the database was silent.
    var lastProbe: ContinuousClock.Instant?
  }

  private let state = Mutex(State())
  let settings: PostgresSettings

  init(_ settings: PostgresSettings) {
    self.settings = settings
  }

  /// Makes calls fail at once while the database hasn't answered for so long that waiting is pointless.
  ///
  /// Once per ``PostgresSettings/probeInterval`` one call is let through as a probe, with its usual timeouts. A
  /// successful call counts as an answer. So calls go on if only the connection of the watching component is lost.
  /// - Parameter silence: how long the database hasn't answered; nil to make calls wait again.
  func watch(_ silence: (@Sendable () -> Duration)?) {
    state.withLock { $0.silence = silence }
  }

  /// Runs statements that change nothing.
  ///
  /// Retries if the connection broke, or if the server is starting.
  /// - Parameter limit: maximum wait for a connection, and again for the server; nil for the settings' timeouts.
  func read<Outcome: Sendable>(
    within limit: Duration? = nil,
    _ body: @escaping @Sendable (PostgresSession) throws -> Outcome
  ) async throws -> Outcome {
    try await retrying(within: limit) { connection in try await connection.perform(within: limit, body) }
  }

  /// Runs a transaction.
  ///
  /// Retries after a conflict, or if the connection broke before the commit.
  ///
  /// The body may run more than once, so it must change nothing but the database.
  func transaction<Outcome: Sendable>(
    _ begin: String = "BEGIN",
    within limit: Duration? = nil,
    _ body: @escaping @Sendable (PostgresSession) throws -> Outcome
  ) async throws -> Outcome {
    try await retrying { connection in
      try await connection.perform(within: limit) { session in try session.transaction(begin, body) }
    }
  }

  /// Runs one statement that changes something; statements before it only read.
  ///
  /// Retries only if it is certain that nothing was stored.
  func statement<Outcome: Sendable>(
    _ body: @escaping @Sendable (PostgresSession) throws -> Outcome
  ) async throws -> Outcome {
    try await retrying { connection in
      try await connection.perform { session in try session.statement(body) }
    }
  }

  /// Closes idle connections now and the others when they are released; later calls fail.
  func close() {
    let waiting = state.withLock { state in
      defer { state.waiting = [] }
      state.isClosed = true
      state.idle = []
      return state.waiting
    }
    for waiter in waiting { waiter.continuation.resume(returning: nil) }
  }

  private func retrying<Outcome: Sendable>(
    within limit: Duration? = nil,
    _ step: (PostgresConnection) async throws -> Outcome
  ) async throws -> Outcome {
    let start = ContinuousClock.now
    let end = start + min(settings.retryTimeout, limit ?? settings.retryTimeout)
    let wait = min(settings.poolTimeout, limit ?? settings.poolTimeout)
    var attempt = 0
    while true {
      let silence = self.silence
      guard silence < settings.longestSilence || mayProbe() else {
        throw PostgresError(.unavailable, "it hasn't answered for \(silence.components.seconds) seconds")
      }
      let connection = try await acquire(within: wait)
      do {
        defer { release(connection) }
        let outcome = try await step(connection)
        state.withLock { $0.lastSuccess = .now }
        return outcome
      } catch let error as PostgresError where error.isRetryable && ContinuousClock.now < end {
        attempt += 1
        // Other callers can use the connection during the pause.
        try await Task.sleep(for: .milliseconds(Int.random(in: 1...min(4 << min(attempt, 6), 250))))
      }
    }
  }

  /// The time since the database last answered, whichever connection it answered on.
  var silence: Duration {
    let watched = state.withLock(\.silence)?() ?? .zero
    guard let lastSuccess = state.withLock(\.lastSuccess) else { return watched }
    return min(watched, lastSuccess.duration(to: .now))
  }

  /// Lets one call in each interval find out whether a silent database answers again.
  ///
  /// The retry of a failed probe needs permission too, so it is refused unless the probe took longer than the interval.
  private func mayProbe() -> Bool {
    state.withLock { state in
      let now = ContinuousClock.now
      if let last = state.lastProbe, last.duration(to: now) < settings.probeInterval { return false }
      state.lastProbe = now
      return true
    }
  }

  private func acquire(within limit: Duration) async throws -> PostgresConnection {
    try Task.checkCancellation()
    if let connection = try idleOrNew() { return connection }
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    let connection = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        enqueue(Waiter(id: id, deadline: .now + limit, continuation: continuation))
        // The handler has found nothing to remove if it ran before this.
        if Task.isCancelled { leaveQueue(id) }
      }
    } onCancel: {
      leaveQueue(id)
    }
    if let connection { return connection }
    try Task.checkCancellation()
    if state.withLock(\.isClosed) { throw PostgresError(.closed, "the store was closed") }
    throw PostgresError(.timedOut, "all connections were busy for \(limit)")
  }

  /// Lets a caller wait, unless a connection has become free in the meantime.
  private func enqueue(_ waiter: Waiter) {
    var isFirst = false
    let connection = state.withLock { state -> PostgresConnection?? in
      if let connection = state.idle.popLast() { return connection }
      if state.isClosed { return .some(nil) }
      state.waiting.append(waiter)
      isFirst = !state.isExpiring
      state.isExpiring = true
      return nil
    }
    if let connection { waiter.continuation.resume(returning: connection) }
    if isFirst { Task { await expireWaiters() } }
  }

  /// Removes waiters whose time is over, as long as there are any.
  ///
  /// One task for all, because a timer for each would cost more than most statements.
  private func expireWaiters() async {
    var isOver = false
    while !isOver {
      try? await Task.sleep(for: .milliseconds(50))
      let late = state.withLock { state in
        let late = state.waiting.filter { $0.deadline <= .now }
        state.waiting.removeAll { waiter in late.contains { $0.id == waiter.id } }
        isOver = state.waiting.isEmpty
        state.isExpiring = !isOver
        return late
      }
      for waiter in late { waiter.continuation.resume(returning: nil) }
    }
  }

  /// An idle or a new connection; nil if all are in use.
  private func idleOrNew() throws -> PostgresConnection? {
    try state.withLock { state in
      guard !state.isClosed else { throw PostgresError(.closed, "the store was closed") }
      if let connection = state.idle.popLast() { return connection }
      guard state.made < settings.connections else { return nil }
      state.made += 1
      return PostgresConnection(settings)
    }
  }

  private func leaveQueue(_ id: UInt64) {
    let continuation = state.withLock { state -> CheckedContinuation<PostgresConnection?, Never>? in
      guard let place = state.waiting.firstIndex(where: { $0.id == id }) else { return nil }
      return state.waiting.remove(at: place).continuation
    }
    continuation?.resume(returning: nil)
  }

  private func release(_ connection: PostgresConnection) {
    let next = state.withLock { state -> CheckedContinuation<PostgresConnection?, Never>? in
      guard state.waiting.isEmpty else { return state.waiting.removeFirst().continuation }
      if !state.isClosed { state.idle.append(connection) }
      return nil
    }
    next?.resume(returning: connection)
  }
}
