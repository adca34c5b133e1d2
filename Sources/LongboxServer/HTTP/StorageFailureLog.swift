// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import Logging
import Synchronization

/// Logs that the disk refused changes: the first failure, then at most one line a minute with a count.
final class StorageFailureLog: Sendable {
  private struct State {
    var lastLine: Date?
    var count = 0
  }

  private static let interval: TimeInterval = 60
  private let state = Mutex(State())
  private let logger: Logger
  private let now: @Sendable () -> Date

  init(logger: Logger, now: @escaping @Sendable () -> Date) {
    self.logger = logger
    self.now = now
  }

  func note(_ error: any Error) {
    let now = now()
    let count = state.withLock { state -> Int? in
      state.count += 1
      if let last = state.lastLine, abs(now.timeIntervalSince(last)) < Self.interval { return nil }
      defer { state.count = 0 }
      state.lastLine = now
      return state.count
    }
    guard let count else { return }
    logger.error("Changes could not be stored.", metadata: ["count": "\(count)", "error": "\(error)"])
  }
}
