// Longbox
// SPDX-License-Identifier: MIT

import Synchronization

/// Receives other nodes' notifications of changes, on a separate connection.
///
/// A notification may be lost with the connection. So listeners also get a hint after each new connection, and every ten
/// seconds.
public final class ChangeListener: Sendable {
  /// The channel of all notifications.
  static let channel = "longbox"
  /// Maximum time between two hints.
  private static let interval = Duration.seconds(10)
  /// How often the thread checks for cancellation while it waits for notifications.
  private static let pollInterval = Duration.milliseconds(250)
  /// Interval of the heartbeat, and its timeout.
  private static let heartbeat = Duration.seconds(2)

  private struct Readers {
    var hints: [Int: AsyncStream<Void>.Continuation] = [:]
    var lastID = 0
  }

  private let readers = Mutex(Readers())
  private let pool: PostgresPool
  private let lastAnswer = Mutex(ContinuousClock.now)

  init(_ pool: PostgresPool) {
    self.pool = pool
  }

  /// Hints that comics or explanations may have changed, or that a node has asked the leader for something.
  ///
  /// Each call gives a new stream, for one reader.
  public func hints() -> AsyncStream<Void> {
    let (hints, hint) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    hint.yield()
    let id = readers.withLock { readers in
      readers.lastID += 1
      readers.hints[readers.lastID] = hint
      return readers.lastID
    }
    hint.onTermination = { [weak self] _ in self?.readers.withLock { $0.hints[id] = nil } }
    return hints
  }

  /// The time since the database last answered on the listener's connection.
  public var silence: Duration { lastAnswer.withLock { $0 }.duration(to: .now) }

  /// Listens until the task is cancelled.
  public func run() async {
    lastAnswer.withLock { $0 = .now }
    let connection = ListenerConnection(pool.settings)
    var (lastHint, lastBeat) = (ContinuousClock.now, ContinuousClock.now)
    while !Task.isCancelled {
      do {
        let isNew = try await connection.listen(on: Self.channel)
        let isNotified = try await connection.hasNotifications(within: Self.pollInterval)
        let now = ContinuousClock.now
        if isNew || now - lastBeat >= Self.heartbeat {
          try await connection.beat(within: Self.heartbeat)
          lastBeat = .now
          lastAnswer.withLock { $0 = .now }
        }
        if isNew || isNotified || now - lastHint >= Self.interval {
          for hint in readers.withLock({ $0.hints.values }) { hint.yield() }
          lastHint = now
        }
      } catch {
        // A server that has too many connections refuses this one, but still answers on those of the pool.
        if ContinuousClock.now - lastBeat >= Self.heartbeat {
          try? await pool.read(within: Self.heartbeat) { session in _ = try session.execute("SELECT 1") }
          lastBeat = .now
        }
        try? await Task.sleep(for: Self.pollInterval)
      }
    }
    await connection.close()
    // Outside the lock, which `onTermination` takes.
    for hint in readers.withLock({ $0.hints.values }) { hint.finish() }
  }
}

/// The connection on which a node receives notifications.
actor ListenerConnection {
  private let thread = ConnectionThread(name: "listener")
  private let settings: PostgresSettings
  private var session: PostgresSession?

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  init(_ settings: PostgresSettings) {
    self.settings = settings
  }

  deinit { thread.end() }

  /// Connects and begins to listen, unless it is listening.
  /// - Returns: true if it has just begun, so earlier notifications were missed.
  func listen(on channel: String) throws -> Bool {
    if let session, !session.isBroken { return false }
    session = nil
    session = try PostgresSession(settings, running: "LISTEN \(channel)")
    return true
  }

  /// Waits for a notification.
  /// - Returns: false if none arrived in time.
  func hasNotifications(within limit: Duration) throws -> Bool {
    try onSession { try $0.hasNotifications(within: limit) }
  }

  /// Checks that the server answers.
  func beat(within limit: Duration) throws {
    try onSession { session in
      session.deadline = .now + limit
      try session.execute("SELECT 1")
    }
  }

  func close() { session = nil }

  private func onSession<Outcome>(_ body: (PostgresSession) throws -> Outcome) throws -> Outcome {
    guard let session else { throw PostgresError(.closed, "the listener was closed") }
    do {
      return try body(session)
    } catch {
      self.session = nil
      throw error
    }
  }
}
