// Longbox
// SPDX-License-Identifier: MIT

import Dispatch

/// Runs an actor on a Dispatch queue instead of the cooperative pool, for work that blocks a thread.
///
/// Dispatch's own `DispatchSerialQueue` can do this only on Apple's systems.
final class SerialQueueExecutor: SerialExecutor {
  private let queue: DispatchQueue

  init(label: String) {
    queue = DispatchQueue(label: label)
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
