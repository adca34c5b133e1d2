// Longbox
// SPDX-License-Identifier: MIT

/// Runs equal work once for all callers that want it at the same time.
package actor SingleFlight<Key: Hashable & Sendable, Value: Sendable> {
  /// What happens to work whose callers are cancelled.
  package enum AbandonedWork: Sendable {
    /// It goes on, because its result is stored and answers later requests; cancelled callers wait for it.
    case finishes
    /// A cancelled caller leaves at once, and the last one to leave cancels the work.
    case isCancelled
  }

  private struct Call {
    let id: Int
    let task: Task<Void, Never>
    var waiters: [Int: CheckedContinuation<Value, any Error>]
  }

  private let abandonedWork: AbandonedWork
  private var calls: [Key: Call] = [:]
  private var lastID = 0

  package init(abandonedWork: AbandonedWork = .finishes) {
    self.abandonedWork = abandonedWork
  }

  /// The number of callers that wait for the work of a key.
  package func waiterCount(for key: Key) -> Int { calls[key]?.waiters.count ?? 0 }

  /// The result of the work under way for a key, or else of this one.
  package func value(
    for key: Key,
    _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    lastID += 1
    let waiter = lastID
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        // The cancellation handler may have run before there was a waiter to remove.
        if abandonedWork == .isCancelled, Task.isCancelled {
          return continuation.resume(throwing: CancellationError())
        }
        add(continuation, as: waiter, for: key, work)
      }
    } onCancel: {
      if abandonedWork == .isCancelled { Task { await self.remove(waiter, for: key) } }
    }
  }

  /// Cancels all work under way, at shutdown.
  package func cancelAll() {
    for call in calls.values { call.task.cancel() }
  }

  private func add(
    _ continuation: CheckedContinuation<Value, any Error>,
    as waiter: Int,
    for key: Key,
    _ work: @escaping @Sendable () async throws -> Value
  ) {
    guard calls[key] == nil else {
      calls[key]?.waiters[waiter] = continuation
      return
    }
    let task = Task {
      let outcome: Result<Value, any Error>
      do { outcome = .success(try await work()) } catch { outcome = .failure(error) }
      finish(key, call: waiter, with: outcome)
    }
    calls[key] = Call(id: waiter, task: task, waiters: [waiter: continuation])
  }

  private func finish(_ key: Key, call id: Int, with outcome: Result<Value, any Error>) {
    // A call without waiters has been removed; the table may hold a newer equal one.
    guard let call = calls[key], call.id == id else { return }
    calls[key] = nil
    for continuation in call.waiters.values { continuation.resume(with: outcome) }
  }

  private func remove(_ waiter: Int, for key: Key) {
    guard let continuation = calls[key]?.waiters.removeValue(forKey: waiter) else { return }
    continuation.resume(throwing: CancellationError())
    guard let call = calls[key], call.waiters.isEmpty else { return }
    calls[key] = nil
    call.task.cancel()
  }
}
