// Longbox
// SPDX-License-Identifier: MIT

import NIOCore
import ServiceLifecycle

/// Tells the service manager again and again that the server answers, as long as it does.
///
/// Requests need Swift's threads and the event loops of all connections. This runs on the former, and gives each of the
/// latter a task. It opens no connection: a server with too many clients is not one that hangs.
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
