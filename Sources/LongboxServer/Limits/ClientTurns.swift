// Longbox
// SPDX-License-Identifier: MIT

import LongboxReaders

/// Lets each address have a few requests in work that wait for a source; its others wait for these.
///
/// A source answers all requests one after the other. So one client that asks for a hundred things would make all others
/// wait for them.
actor ClientTurns {
  private struct Line {
    var inWork = 0
    var waiting: [(ticket: Int, continuation: CheckedContinuation<Bool, Never>)] = []
  }

  private let most: Int
  private var lines: [ClientAddress: Line] = [:]
  private var lastTicket = 0

  /// - Parameter most: the maximum number of requests of an address in work.
  init(most: Int) {
    self.most = most
  }

  /// The number of requests of an address that wait for their turn.
  func waitingCount(of client: ClientAddress) -> Int { lines[client]?.waiting.count ?? 0 }

  /// Does the work when it is its turn among the requests of an address.
  /// - Throws: `CancellationError` if the task is cancelled before; what `work` throws.
  nonisolated func run<Outcome: Sendable>(
    for client: ClientAddress,
    _ work: () async throws -> Outcome
  ) async throws -> Outcome {
    try await begin(client)
    do {
      let outcome = try await work()
      await end(client)
      return outcome
    } catch {
      await end(client)
      throw error
    }
  }

  private func begin(_ client: ClientAddress) async throws {
    try Task.checkCancellation()
    guard lines[client]?.inWork ?? 0 >= most else {
      lines[client, default: Line()].inWork += 1
      return
    }
    lastTicket += 1
    let ticket = lastTicket
    let isTurn = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        // The cancellation handler may have run before.
        guard !Task.isCancelled else { return continuation.resume(returning: false) }
        lines[client, default: Line()].waiting.append((ticket, continuation))
      }
    } onCancel: {
      Task { await self.giveUp(ticket, client) }
    }
    guard isTurn else { throw CancellationError() }
  }

  /// Passes the turn to the request that has waited longest.
  private func end(_ client: ClientAddress) {
    guard var line = lines[client] else { return }
    if line.waiting.isEmpty {
      line.inWork -= 1
      lines[client] = line.inWork > 0 ? line : nil
    } else {
      let next = line.waiting.removeFirst()
      lines[client] = line
      next.continuation.resume(returning: true)
    }
  }

  private func giveUp(_ ticket: Int, _ client: ClientAddress) {
    guard let index = lines[client]?.waiting.firstIndex(where: { $0.ticket == ticket }) else { return }
    lines[client]?.waiting.remove(at: index).continuation.resume(returning: false)
  }
}
