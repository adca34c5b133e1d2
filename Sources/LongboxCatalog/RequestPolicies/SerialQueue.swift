// Longbox
// SPDX-License-Identifier: MIT

/// Runs asynchronous steps one after another, in the order of the calls; an actor alone would start a second
/// step wherever the first one waits.
package actor SerialQueue {
  private var last: Task<Void, Never>?

  /// Makes an empty queue.
  package init() {}

  /// Runs a step after all earlier ones.
  package func run<Value: Sendable>(_ step: @escaping @Sendable () async throws -> Value) async throws
    -> Value
  {
    let before = last
    let task = Task {
      await before?.value
      return try await step()
    }
    last = Task { _ = await task.result }
    return try await task.value
  }
}
