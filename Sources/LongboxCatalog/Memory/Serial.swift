// Longbox
// SPDX-License-Identifier: MIT

/// Runs asynchronous steps one after another, in the order in which they were asked for.
///
/// An actor alone would let a second step in wherever the first one waits.
package actor Serial {
  private var last: Task<Void, Never>?

  /// Makes a queue that is empty.
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
