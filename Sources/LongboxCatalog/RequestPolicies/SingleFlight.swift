// Longbox
// SPDX-License-Identifier: MIT

/// Runs equal work once for all callers that want it at the same time; callers that leave don't cancel it:
/// its result is stored and answers later requests.
actor SingleFlight<Key: Hashable & Sendable, Value: Sendable> {
  private var tasks: [Key: Task<Value, any Error>] = [:]

  /// The result of the work under way for a key, or else of this one.
  func value(for key: Key, _ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
    if let task = tasks[key] { return try await task.value }
    let task = Task { try await work() }
    tasks[key] = task
    defer { tasks[key] = nil }
    return try await task.value
  }

  /// Cancels all work under way, at shutdown.
  func cancelAll() {
    for task in tasks.values { task.cancel() }
  }
}
