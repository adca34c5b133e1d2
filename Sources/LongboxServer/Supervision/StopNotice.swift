// Longbox
// SPDX-License-Identifier: MIT

import ServiceLifecycle

/// Tells the service manager that the server stops.
///
/// It belongs at the end of the services, which stop last to first.
struct StopNotice: Service {
  let manager: ServiceManager

  func run() async throws {
    try? await gracefulShutdown()
    if Task.isShuttingDownGracefully { manager.notifyStopping() }
  }
}
