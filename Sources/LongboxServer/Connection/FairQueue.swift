// Longbox
// SPDX-License-Identifier: MIT

import NIOCore
import Synchronization

/// Runs work of one event loop's connections that is not urgent, in order and a few pieces at a time.
///
/// An event loop runs all its tasks before it looks at the sockets again, including tasks that these tasks add. So
/// connections that always have work would keep all others waiting. Between two batches there is a pause, in
/// which the loop looks at the sockets.
///
/// It belongs to its event loop.
final class FairQueue {
  private static let batch = 16
  private static let pause = TimeAmount.microseconds(100)

  private let eventLoop: any EventLoop
  private var waiting = CircularBuffer<() -> Void>()
  private var isScheduled = false

  init(_ eventLoop: any EventLoop) {
    self.eventLoop = eventLoop
  }

  /// Adds a piece of a connection's work.
  func add(_ work: @escaping () -> Void) {
    waiting.append(work)
    schedule()
  }

  private func schedule() {
    guard !isScheduled, !waiting.isEmpty else { return }
    isScheduled = true
    eventLoop.assumeIsolated().scheduleTask(in: Self.pause) { [self] in
      isScheduled = false
      for _ in 0..<min(Self.batch, waiting.count) { waiting.removeFirst()() }
      schedule()
    }
  }
}

/// The queues of all event loops.
final class FairQueues: Sendable {
  private let queues = Mutex<[ObjectIdentifier: NIOLoopBound<FairQueue>]>([:])

  /// The queue of an event loop; it must be called on it.
  func queue(of eventLoop: any EventLoop) -> FairQueue {
    let bound = queues.withLock { queues in
      let name = ObjectIdentifier(eventLoop)
      if let bound = queues[name] { return bound }
      let bound = NIOLoopBound(FairQueue(eventLoop), eventLoop: eventLoop)
      queues[name] = bound
      return bound
    }
    return bound.value
  }
}
