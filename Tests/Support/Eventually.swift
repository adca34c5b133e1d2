// Longbox
// SPDX-License-Identifier: MIT

/// Yields until a condition holds; the suite's time limit ends a wait that never would.
package func eventually(_ condition: () async throws -> Bool) async rethrows {
  while !(try await condition()) { await Task.yield() }
}
