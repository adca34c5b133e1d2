// Longbox
// SPDX-License-Identifier: MIT

import ServiceLifecycle

/// Tells the service manager that the server stops.
///
/// It must be the last of the services, because they stop in reverse order.
struct StopNotice: Service {
  let manager: ServiceManager

  func run() async throws {
    try? await gracefulShutdown()
    if Task.isShuttingDownGracefully { manager.notifyStopping() }
  }
}
