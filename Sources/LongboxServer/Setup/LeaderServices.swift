// Longbox
// SPDX-License-Identifier: MIT

import Logging
import LongboxStore
import ServiceLifecycle

/// Runs services while this node leads, and cancels them when its term ends.
///
/// Their writes fail when the term is over, see `LeaderTerm`.
struct LeaderServices: Service {
  private let election: LeaderElection
  private let services: [any Service]
  private let logger: Logger

  init(_ election: LeaderElection, _ services: [any Service], logger: Logger) {
    self.election = election
    self.services = services
    self.logger = logger
  }

  /// Runs until shutdown, which lets the services finish.
  /// - Throws: the error that ended a service.
  func run() async throws {
    for await term in election.terms.cancelOnGracefulShutdown() {
      logger.notice("This node leads.", metadata: ["term": "\(term.number)"])
      try await lead(in: term)
      logger.notice("This node doesn't lead any more.", metadata: ["term": "\(term.number)"])
      if Task.isShuttingDownGracefully { return }
    }
  }

  private enum End {
    case service, term
  }

  private func lead(in term: LeaderTerm) async throws {
    try await withThrowingTaskGroup(of: End.self) { group in
      for service in services {
        group.addTask {
          do {
            try await LeaderTerm.$current.withValue(term) { try await service.run() }
          } catch  where term.isOver || Task.isCancelled {
            // The service was cancelled, or a write failed because the term is over.
          }
          return .service
        }
      }
      group.addTask {
        await term.waitForEnd()
        return .term
      }
      var running = services.count
      for try await end in group {
        if end == .service { running -= 1 }
        // At shutdown the services end by themselves.
        if end == .term || running == 0 { group.cancelAll() }
      }
    }
  }
}
