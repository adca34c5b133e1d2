// Longbox
// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import Synchronization

/// A thread that runs the work of one connection, which may block.
final class ConnectionThread: SerialExecutor {
  private struct State {
    var jobs: [UnownedJob] = []
    var isOver = false
  }

  private let state = Mutex(State())
  private let wake = DispatchSemaphore(value: 0)

  init(name: String) {
    let thread = Thread { [self] in work() }
    thread.name = name
    thread.stackSize = 1 << 20
    thread.start()
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    state.withLock { $0.jobs.append(job) }
    wake.signal()
  }

  /// Ends the thread after all queued jobs have run.
  func end() {
    state.withLock { $0.isOver = true }
    wake.signal()
  }

  private func work() {
    while true {
      wake.wait()
      let (jobs, isOver) = state.withLock { state in
        defer { state.jobs = [] }
        return (state.jobs, state.isOver)
      }
      for job in jobs { job.runSynchronously(on: asUnownedSerialExecutor()) }
      if isOver, jobs.isEmpty { return }
    }
  }
}
