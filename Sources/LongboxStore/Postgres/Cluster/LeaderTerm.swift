// Longbox
// SPDX-License-Identifier: MIT

import Synchronization

/// The time in which one node leads.
///
/// What runs as ``current`` may change the store only while this term lasts: each transaction begins with a look at the
/// table `leader`, so a node that was paused and has missed that another leads changes nothing.
public final class LeaderTerm: Sendable {
  private struct State {
    var deadline: ContinuousClock.Instant
    var isOver = false
  }

  /// The term for which the task's changes of the store are made; nil for changes that every node may make.
  @TaskLocal public static var current: LeaderTerm?

  /// Its number, which no other node has.
  public let number: Int
  private let state: Mutex<State>
  private let ended: AsyncStream<Void>
  private let end: AsyncStream<Void>.Continuation

  init(_ number: Int, until deadline: ContinuousClock.Instant) {
    self.number = number
    state = Mutex(State(deadline: deadline))
    (ended, end) = AsyncStream.makeStream(of: Void.self)
  }

  /// Whether this node doesn't lead any more, or hasn't heard for too long that it does.
  public var isOver: Bool { state.withLock { $0.isOver || $0.deadline <= .now } }

  /// Until when the node may believe that it leads.
  var deadline: ContinuousClock.Instant { state.withLock(\.deadline) }

  /// Waits for the end of the term, or until the task is cancelled; only one task may wait.
  public func waitForEnd() async { for await _ in ended {} }

  /// Notes that the database has confirmed the term.
  func extend(until deadline: ContinuousClock.Instant) {
    state.withLock { $0.deadline = deadline }
  }

  /// Steps down.
  func finish() {
    state.withLock { $0.isOver = true }
    end.finish()
  }

  /// Checks in a transaction that the term lasts, and keeps the next leader from beginning before the commit.
  ///
  /// That wait is short: the server ends a transaction of the leader that is idle for three seconds.
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
