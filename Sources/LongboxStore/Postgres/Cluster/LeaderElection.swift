// Longbox
// SPDX-License-Identifier: MIT

import Synchronization

/// Elects one of the nodes on a PostgreSQL database as the leader.
///
/// The node that holds an advisory lock leads. If the database doesn't answer it within two seconds, it steps down. The
/// server releases the lock within five seconds, and another node takes it. Each leader gets a new ``LeaderTerm``.
public final class LeaderElection: Sendable {
  /// Times of an election; tests that need the same leader all the time set longer ones.
  package struct Times: Sendable {
    /// The pause between two attempts to take the lock, or between two heartbeats of the leader.
    package var interval = Duration.seconds(1)
    /// Maximum wait for an answer of the database.
    package var limit = Duration.seconds(2)
    /// The server releases the lock after this time without a statement; longer than the interval and the limit together.
    package var release = Duration.seconds(5)

    /// Creates the default times.
    package init() {}
  }

  /// The name of this node in the table `leader`.
  let node: String
  /// The terms in which this node leads; each ends before the next begins.
  ///
  /// Only one task may read the stream.
  public let terms: AsyncStream<LeaderTerm>
  private let won: AsyncStream<LeaderTerm>.Continuation
  private let settings: PostgresSettings
  private let state = Mutex<LeaderTerm?>(nil)
  private let connectionInUse = Mutex<LeaderConnection?>(nil)

  init(_ settings: PostgresSettings) {
    self.settings = settings
    node = settings.node
    (terms, won) = AsyncStream.makeStream(of: LeaderTerm.self, bufferingPolicy: .bufferingNewest(1))
  }

  /// The current term; nil if this node doesn't lead.
  public var term: LeaderTerm? {
    latestTerm.flatMap { $0.isOver ? nil : $0 }
  }

  /// The latest term of this node, which may be over; nil if it has never led.
  var latestTerm: LeaderTerm? { state.withLock { $0 } }

  /// The connection while this node takes part; a test blocks its thread.
  var connection: LeaderConnection? { connectionInUse.withLock { $0 } }

  /// Takes part until the task is cancelled; then it releases the lock.
  public func run() async { await run(Times()) }

  /// Takes part with other times than the default ones.
  package func run(_ times: Times) async {
    let connection = LeaderConnection(settings, times)
    connectionInUse.withLock { $0 = connection }
    while !Task.isCancelled {
      let start = ContinuousClock.now
      if let number = try? await connection.elect(node, within: times.limit) {
        let term = LeaderTerm(number, until: start + times.limit + times.interval)
        begin(term)
        await lead(term, over: connection, times)
        term.finish()
        await connection.close()
      }
      try? await Task.sleep(for: times.interval)
    }
    await connection.close()
    won.finish()
  }

  func begin(_ term: LeaderTerm) {
    state.withLock { $0 = term }
    won.yield(term)
  }

  /// Leads until the database doesn't confirm the term in time, or the task is cancelled.
  private func lead(_ term: LeaderTerm, over connection: LeaderConnection, _ times: Times) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        // Ends the term in time even if the connection's thread hangs.
        while !Task.isCancelled, !term.isOver {
          try? await Task.sleep(until: term.deadline, clock: .continuous)
        }
        term.finish()
      }
      group.addTask {
        while !Task.isCancelled, !term.isOver {
          try? await Task.sleep(for: times.interval)
          let start = ContinuousClock.now
          guard !Task.isCancelled, !term.isOver,
            (try? await connection.confirms(term.number, within: times.limit)) == true
          else { return }
          term.extend(until: start + times.limit + times.interval)
        }
      }
      await group.next()
      group.cancelAll()
    }
  }
}

/// A period in which one node leads.
///
/// What only the leader changes is changed through ``Store/forLeader``: each transaction first checks the term in the table
/// `leader`. So a node that was paused, and missed that another node leads now, changes nothing.
public final class LeaderTerm: Sendable {
  private struct State {
    var deadline: ContinuousClock.Instant
    var isOver = false
  }

  /// The number of the term; each election raises it.
  public let number: Int
  private let state: Mutex<State>
  private let ended: AsyncStream<Void>
  private let end: AsyncStream<Void>.Continuation

  init(_ number: Int, until deadline: ContinuousClock.Instant) {
    self.number = number
    state = Mutex(State(deadline: deadline))
    (ended, end) = AsyncStream.makeStream(of: Void.self)
  }

  /// Whether this node no longer leads, or the database hasn't confirmed in time that it does.
  public var isOver: Bool { state.withLock { $0.isOver || $0.deadline <= .now } }

  /// When the term ends unless the database confirms it before.
  var deadline: ContinuousClock.Instant { state.withLock(\.deadline) }

  /// Waits for the end of the term, or until the task is cancelled; only one task may wait.
  public func waitForEnd() async { for await _ in ended {} }

  /// Moves the deadline, after the database has confirmed the term.
  func extend(until deadline: ContinuousClock.Instant) {
    state.withLock { $0.deadline = deadline }
  }

  /// Ends the term.
  func finish() {
    state.withLock { $0.isOver = true }
    end.finish()
  }

  /// Checks the term, and locks its row until the end of the transaction, so the next leader can't begin before the commit.
  ///
  /// The server ends a leader's transaction that is idle for three seconds, so the next leader doesn't wait long.
  /// - Throws: `StoreError.notLeader`.
  func require(in session: PostgresSession) throws {
    let sql = """
      SELECT set_config('idle_in_transaction_session_timeout', '3s', true) FROM leader WHERE term = $1 FOR SHARE
      """
    guard !isOver, try session.execute(sql, .init(number)).count > 0 else {
      finish()
      throw StoreError.notLeader
    }
  }
}

/// The connection that holds the leader's lock.
///
/// The server releases the lock when the connection ends, so only ``elect(_:within:)`` connects again.
actor LeaderConnection {
  /// The key of the advisory lock: one more than the key for migrations, which is "longbox" on a phone's keypad.
  private static let lock: Int64 = 5_664_270

  /// Makes the server release the lock if this process sends no statement for a time, or if keepalives show that this
  /// machine is gone.
  private let setUp: String

  private let thread = ConnectionThread(name: "leader")
  private let settings: PostgresSettings
  private var session: PostgresSession?
  private var hasLock = false

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  init(_ settings: PostgresSettings, _ times: LeaderElection.Times) {
    self.settings = settings
    func text(_ time: Duration) -> String { "'\(Int(time / .milliseconds(1)))ms'" }
    setUp = """
      SET idle_session_timeout = \(text(times.release)); SET tcp_keepalives_idle = 2; SET tcp_keepalives_interval = 1;
      SET tcp_keepalives_count = 3; SET tcp_user_timeout = 5000;
      SET statement_timeout = \(text(times.limit)); SET lock_timeout = \(text(times.limit * 3 / 4))
      """
  }

  deinit { thread.end() }

  /// Tries to become the leader.
  /// - Returns: the number of the new term; nil if another node leads.
  func elect(_ node: String, within limit: Duration) throws -> Int? {
    do {
      let session = try opened()
      session.deadline = .now + limit
      if !hasLock {
        let rows = try session.execute("SELECT pg_try_advisory_lock($1)", .integer(Self.lock))
        hasLock = try rows.first?.bool(0) == true
      }
      guard hasLock else { return nil }
      return try session.execute(
        "UPDATE leader SET term = term + 1, node = $1, since = extract(epoch FROM now())::bigint RETURNING term",
        .text(node)
      )
      .first?.int(0)
    } catch let error as PostgresError where error.kind == .stopped {
      // A transaction of the previous leader still locks the row. Keep the advisory lock, and try again.
      return nil
    } catch {
      close()
      throw error
    }
  }

  /// Asks the database whether the term is still the current one.
  func confirms(_ term: Int, within limit: Duration) throws -> Bool {
    guard let session else { return false }
    do {
      session.deadline = .now + limit
      return try session.execute("SELECT FROM leader WHERE term = $1", .init(term)).count > 0
    } catch {
      close()
      throw error
    }
  }

  /// Gives up the lock.
  func close() {
    session = nil
    hasLock = false
  }

  private func opened() throws -> PostgresSession {
    if let session, !session.isStale { return session }
    close()
    let fresh = try PostgresSession(settings, running: setUp)
    session = fresh
    return fresh
  }
}
