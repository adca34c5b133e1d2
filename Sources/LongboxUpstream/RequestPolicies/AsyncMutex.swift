// Longbox
// SPDX-License-Identifier: MIT

/// A lock for asynchronous code: one holder at a time, in the order of arrival.
public actor AsyncMutex {
  private struct Waiter {
    let ticket: Int
    let continuation: CheckedContinuation<Bool, Never>
  }

  private var isHeld = false
  private var waiters: [Waiter] = []
  private var lastTicket = 0

  /// Makes a mutex that is free.
  public init() {}

  /// The number of callers that wait for the lock, without the one that holds it.
  var waiterCount: Int { waiters.count }

  /// Waits for the lock; a caller that gets it must call ``unlock()``.
  /// - Throws: `CancellationError` if the task is cancelled while it waits. It doesn't get the lock then.
  public func lock() async throws {
    try Task.checkCancellation()
    guard isHeld else {
      isHeld = true
      return
    }
    lastTicket += 1
    let ticket = lastTicket
    let isLocked = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        // The cancellation handler may have run before there was a waiter to remove.
        guard !Task.isCancelled else { return continuation.resume(returning: false) }
        waiters.append(Waiter(ticket: ticket, continuation: continuation))
      }
    } onCancel: {
      Task { await self.giveUp(ticket) }
    }
    guard isLocked else { throw CancellationError() }
  }

  /// Passes the lock to the caller that has waited longest.
  public func unlock() {
    guard !waiters.isEmpty else {
      isHeld = false
      return
    }
    waiters.removeFirst().continuation.resume(returning: true)
  }

  private func giveUp(_ ticket: Int) {
    guard let index = waiters.firstIndex(where: { $0.ticket == ticket }) else { return }
    waiters.remove(at: index).continuation.resume(returning: false)
  }
}
