// Longbox
// SPDX-License-Identifier: MIT

/// Waits until a condition holds, or until the suite's time limit cancels the test.
///
/// It looks once a millisecond, so that what it waits for has the processor.
package func eventually(_ condition: () async throws -> Bool) async rethrows {
  while !Task.isCancelled, !(try await condition()) { try? await Task.sleep(for: .milliseconds(1)) }
}
