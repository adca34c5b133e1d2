// Longbox
// SPDX-License-Identifier: MIT

/// Work that is done once for all who want it at the same time.
///
/// It is not cancelled when those who wait leave: what it fetches is stored and serves the next who asks.
actor SharedWork<Key: Hashable & Sendable, Value: Sendable> {
  private var tasks: [Key: Task<Value, any Error>] = [:]

  /// The outcome of the work under a key: of the one under way, or else of this one.
  func value(for key: Key, _ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
    if let task = tasks[key] { return try await task.value }
    let task = Task { try await work() }
    tasks[key] = task
    defer { tasks[key] = nil }
    return try await task.value
  }

  /// Cancels all that is under way, when the program ends.
  func cancelAll() {
    for task in tasks.values { task.cancel() }
  }
}
