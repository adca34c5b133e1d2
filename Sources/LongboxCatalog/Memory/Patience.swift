// Longbox
// SPDX-License-Identifier: MIT

/// Waiting for work, but not for longer than a reader would.
enum Patience {
  /// Runs work and waits for it; where it takes longer, it goes on without the one who waited.
  /// - Parameters:
  ///   - limit: how long to wait.
  ///   - work: what to run. It is not cancelled: what it fetches is stored for the next who asks.
  /// - Returns: whether it has ended.
  /// - Throws: what the work throws within the time.
  static func run(
    for limit: Duration,
    _ work: @escaping @Sendable () async throws -> Void
  ) async throws -> Bool {
    let (outcomes, continuation) = AsyncStream<Result<Bool, any Error>>.makeStream()
    let timer = Task {
      try await Task.sleep(for: limit)
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
}
