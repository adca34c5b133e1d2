// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import Synchronization

/// Asks the database for the updates of many libraries with one statement.
///
/// Each page of a reader with a library asks for one. Waking the threads of a statement costs more than the statement, so
/// calls that come while statements are under way share the next one. A call that comes alone doesn't wait.
final class LibraryUpdateBatcher: Sendable {
  typealias Read = @Sendable ([KnownLibrary], Duration) async throws -> [Result<LibraryUpdate, any Error>]

  private struct Call {
    let library: KnownLibrary
    let deadline: ContinuousClock.Instant
    let continuation: CheckedContinuation<LibraryUpdate, any Error>
  }

  private struct State {
    var waiting: [Call] = []
    var running = 0
  }

  /// Two, so that one slow answer doesn't hold up all readers.
  private static let statements = 2
  /// Bounds what one answer can hold.
  private static let librariesInStatement = 32
  private let read: Read
  private let state = Mutex(State())

  /// - Parameter read: runs the statement within a time.
  init(read: @escaping Read) {
    self.read = read
  }

  /// What other nodes have changed in a library since this node read it.
  /// - Parameter limit: how long the database may take. A call may wait longer, because it shares a statement
  ///   with calls that have more time, and waits for the statements before.
  /// - Throws: `PostgresError`.
  func update(of name: LibraryName, since known: Replica, within limit: Duration) async throws
    -> LibraryUpdate
  {
    try await withCheckedThrowingContinuation { continuation in
      let call = Call(
        library: KnownLibrary(name: name, replica: known),
        deadline: .now + limit,
        continuation: continuation
      )
      let isStarting = state.withLock { state in
        state.waiting.append(call)
        guard state.running < Self.statements else { return false }
        state.running += 1
        return true
      }
      // Detached, because the statement is for other callers, too.
      if isStarting { Task.detached { await self.run() } }
    }
  }

  /// Runs statements as long as calls wait.
  private func run() async {
    while let calls = next() {
      let now = ContinuousClock.now
      for call in calls where call.deadline <= now {
        call.continuation.resume(throwing: PostgresError(.timedOut, "the statements before it took too long"))
      }
      await answer(calls.filter { $0.deadline > now })
    }
  }

  private func next() -> [Call]? {
    state.withLock { state in
      guard !state.waiting.isEmpty else {
        state.running -= 1
        return nil
      }
      let calls = Array(state.waiting.prefix(Self.librariesInStatement))
      state.waiting.removeFirst(calls.count)
      return calls
    }
  }

  private func answer(_ calls: [Call]) async {
    guard let last = calls.map(\.deadline).max() else { return }
    do {
      let updates = try await read(calls.map(\.library), ContinuousClock.now.duration(to: last))
      for (call, update) in zip(calls, updates) { call.continuation.resume(with: update) }
    } catch {
      for call in calls { call.continuation.resume(throwing: error) }
    }
  }
}
