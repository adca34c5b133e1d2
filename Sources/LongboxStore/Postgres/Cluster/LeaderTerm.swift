// Longbox
// SPDX-License-Identifier: MIT

import Synchronization

/// A period in which one node leads.
///
/// While ``current`` is set, each transaction first checks the term in the table `leader`. So a node that was paused, and
/// missed that another node leads now, changes nothing.
public final class LeaderTerm: Sendable {
  private struct State {
    var deadline: ContinuousClock.Instant
    var isOver = false
  }

  /// The term that the current task's transactions check; nil for changes that every node may make.
  @TaskLocal public static var current: LeaderTerm?

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
