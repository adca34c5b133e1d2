// Longbox
// SPDX-License-Identifier: MIT

import NIOCore
import ServiceLifecycle

/// Resets the service manager's watchdog regularly, as long as the server can answer.
///
/// A request needs Swift's cooperative threads and an event loop. So this task runs on a cooperative thread, and waits for
/// each event loop before it sends. It doesn't test with a connection: a server with too many clients refuses it, but
/// doesn't hang.
struct Watchdog: Service {
  let manager: ServiceManager
  /// The time between two messages.
  let interval: Duration
  let loops: any EventLoopGroup
  let clock: any Clock<Duration>

  /// Creates it; nil if the manager doesn't watch.
  init?(_ manager: ServiceManager?, loops: any EventLoopGroup, clock: any Clock<Duration>) {
    guard let manager, let time = manager.watchdogTime else { return nil }
    self.manager = manager
    self.loops = loops
    self.clock = clock
    interval = time / 2
  }

  func run() async throws {
    while !Task.isShuttingDownGracefully {
      for loop in loops.makeIterator() { try await loop.submit {}.get() }
      manager.notifyAnswering()
      try? await cancelWhenGracefulShutdown { try await clock.sleep(for: interval) }
      guard !Task.isCancelled else { return }
    }
  }
}
