// Longbox
// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import Synchronization

/// The server's address, and the timeouts.
struct PostgresSettings: Sendable {
  let address: PostgresAddress
  /// The name of this node, unique among the nodes on the database.
  let node = UUID().uuidString.lowercased()
  var connectTimeout = Duration.seconds(5)
  /// The client's timeout; the server's is shorter, because its error says more.
  var statementTimeout = Duration.seconds(30)
  /// Maximum number of connections.
  var connections = 8
  /// Maximum wait for a free connection.
  var poolTimeout = Duration.seconds(5)
  /// For how long a failed transaction is retried.
  var retryTimeout = Duration.seconds(5)
  /// After this time without an answer, callers no longer wait for the database.
  var longestSilence = Duration.seconds(5)
  /// How often one call still asks the database then.
  var probeInterval = Duration.seconds(1)

  /// The SQL for a new session, among it the name under which this node claims messages.
  ///
  /// Keepalives end the session of a lost machine within half a minute; otherwise the server would run out of
  /// connections.
  var setUp: String {
    """
    SET longbox.node = '\(node)';
    SET statement_timeout = '25s'; SET lock_timeout = '8s'; SET idle_in_transaction_session_timeout = '20s';
    SET tcp_keepalives_idle = 15; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3; SET tcp_user_timeout = 30000;
    SET client_connection_check_interval = '2s'; SET client_encoding = 'UTF8'; SET timezone = 'UTC'
    """
  }
}

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

/// A connection that runs on its own thread; it connects at the first step.
///
/// A step is a synchronous closure, so a task can't hold a connection while it waits for something else.
actor PostgresConnection {
  private let thread: ConnectionThread
  private let settings: PostgresSettings
  private var session: PostgresSession?

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  init(_ settings: PostgresSettings) {
    self.settings = settings
    thread = ConnectionThread(name: "postgres")
  }

  deinit { thread.end() }

  /// Runs a step on the connection.
  /// - Parameters:
  ///   - limit: maximum wait for the server, to connect and then to answer; nil for the settings' timeouts.
  ///   - body: the step.
  func perform<Outcome: Sendable>(
    within limit: Duration? = nil,
    _ body: @Sendable (PostgresSession) throws -> Outcome
  ) throws -> Outcome {
    try Task.checkCancellation()
    let session = try opened(within: limit)
    session.deadline = .now + (limit ?? settings.statementTimeout)
    defer {
      session.deadline = nil
      if session.isBroken || session.isInTransaction { self.session = nil }
    }
    return try body(session)
  }

  private func opened(within limit: Duration?) throws -> PostgresSession {
    if let session, !session.isStale { return session }
    session = nil
    let fresh = try PostgresSession(settings, within: limit, running: settings.setUp)
    session = fresh
    return fresh
  }
}

/// A thread that runs the work of one connection, which may block.
final class ConnectionThread: SerialExecutor {
  private struct State {
    var jobs: [UnownedJob] = []
    var isOver = false
  }

  private let state = Mutex(State())
  private let wake = DispatchSemaphore(value: 0)

  init(name: String) {
    let thread = Thread { [self] in work() }
    thread.name = name
    thread.stackSize = 1 << 20
    thread.start()
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    state.withLock { $0.jobs.append(job) }
    wake.signal()
  }

  /// Ends the thread after all queued jobs have run.
  func end() {
    state.withLock { $0.isOver = true }
    wake.signal()
  }

  private func work() {
    while true {
      wake.wait()
      let (jobs, isOver) = state.withLock { state in
        defer { state.jobs = [] }
        return (state.jobs, state.isOver)
      }
      for job in jobs { job.runSynchronously(on: asUnownedSerialExecutor()) }
      if isOver, jobs.isEmpty { return }
    }
  }
}
