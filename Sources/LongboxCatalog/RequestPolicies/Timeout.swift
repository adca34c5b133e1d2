// Longbox
// SPDX-License-Identifier: MIT

/// Runs work and waits for it, for a limited time.
///
/// Work that takes longer isn't cancelled: what it fetches is stored and answers later requests.
/// - Parameters:
///   - limit: the longest wait.
///   - clock: measures the wait.
///   - work: what to run.
/// - Returns: what the work returns; nil if it takes longer than the limit.
/// - Throws: what the work throws within the limit; `CancellationError` if the waiting task is cancelled.
package func withTimeout<Value: Sendable>(
  _ limit: Duration,
  clock: any Clock<Duration> = ContinuousClock(),
  _ work: @escaping @Sendable () async throws -> Value
) async throws -> Value? {
  let (outcomes, continuation) = AsyncStream<Result<Value?, any Error>>.makeStream()
  let timer = Task {
    try await clock.sleep(for: limit)
    continuation.yield(.success(nil))
  }
  Task {
    do {
      continuation.yield(.success(try await work()))
    } catch {
      continuation.yield(.failure(error))
    }
  }
  defer {
    timer.cancel()
    continuation.finish()
  }
  for await outcome in outcomes { return try outcome.get() }
  throw CancellationError()
}
