// Longbox
// SPDX-License-Identifier: MIT

/// Gives other tasks their turn until a condition holds.
///
/// The suite's time limit ends it where it never does.
package func eventually(_ condition: () async throws -> Bool) async rethrows {
  while !(try await condition()) { await Task.yield() }
}
