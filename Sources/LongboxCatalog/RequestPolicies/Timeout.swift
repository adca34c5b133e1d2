// Longbox
// SPDX-License-Identifier: MIT

/// Runs work and waits for it, for a limited time.
///
/// Work that takes longer isn't cancelled: what it fetches is stored and answers later requests.
/// - Parameters:
///   - limit: the longest wait.
///   - clock: measures the wait.
///   - work: what to run.
/// - Returns: whether the work ended within the limit.
/// - Throws: what the work throws within the limit.
func withTimeout(
  _ limit: Duration,
  clock: any Clock<Duration> = ContinuousClock(),
  _ work: @escaping @Sendable () async throws -> Void
) async throws -> Bool {
  let (outcomes, continuation) = AsyncStream<Result<Bool, any Error>>.makeStream()
  let timer = Task {
    try await clock.sleep(for: limit)
    continuation.yield(.success(false))
  }
  Task {
    do {
      try await work()
      continuation.yield(.success(true))
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
