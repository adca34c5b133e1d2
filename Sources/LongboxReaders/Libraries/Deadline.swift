// Longbox
// SPDX-License-Identifier: MIT

/// Waits for work, but not for ever.
package enum Deadline {
  /// Starts work, and returns when it has ended or the time is over; the work goes on in that case.
  /// - Returns: whether the work has ended.
  package static func wait(atMost time: Duration, for work: @escaping @Sendable () async -> Void) async
    -> Bool
  {
    let (ends, end) = AsyncStream.makeStream(of: Bool.self)
    Task {
      await work()
      end.yield(true)
      end.finish()
    }
    let timer = Task {
      try await Task.sleep(for: time)
      end.yield(false)
      end.finish()
    }
    defer { timer.cancel() }
    return await ends.first { _ in true } ?? false
  }
}
