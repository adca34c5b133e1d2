// Longbox
// SPDX-License-Identifier: MIT

import Dispatch

/// Runs an actor's work on a queue of Dispatch instead of the cooperative pool, for work that keeps a thread busy.
///
/// Dispatch's own `DispatchSerialQueue` can do so on Apple's systems only.
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
