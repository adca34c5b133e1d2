// Longbox
// SPDX-License-Identifier: MIT

package import LongboxUpstream

/// Lets each client have a few requests in work that wait for a source; its others wait for these.
///
/// A source answers all requests one after the other. So one client that asks for a hundred things would make all others
/// wait for them.
package actor ClientTurns<Client: Hashable & Sendable> {
  private struct Line {
    var inWork = 0
    var waiting: [(ticket: Int, continuation: CheckedContinuation<Bool, Never>)] = []
  }

  private let source: Source
  private let most: Int
  private let mostWaiting: Int
  private var lines: [Client: Line] = [:]
  private var lastTicket = 0

  /// Makes empty lines.
  /// - Parameters:
  ///   - source: the source that the requests wait for.
  ///   - most: the maximum number of requests of a client in work.
  ///   - mostWaiting: the maximum number of requests of a client that wait; further ones are rejected.
  package init(at source: Source, most: Int, mostWaiting: Int = .max) {
    self.source = source
    self.most = most
    self.mostWaiting = mostWaiting
  }

  /// The number of requests of a client that wait for their turn.
  package func waitingCount(of client: Client) -> Int { lines[client]?.waiting.count ?? 0 }

  /// Does the work when it is its turn among the requests of a client.
  /// - Throws: `CancellationError` if the task is cancelled before; `UpstreamError.busy` if too many requests wait; what
  ///   `work` throws.
  package nonisolated func run<Outcome: Sendable>(
    for client: Client,
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

  private func begin(_ client: Client) async throws {
    try Task.checkCancellation()
    guard lines[client]?.inWork ?? 0 >= most else {
      lines[client, default: Line()].inWork += 1
      return
    }
    guard lines[client]?.waiting.count ?? 0 < mostWaiting else { throw UpstreamError.busy(source) }
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
  private func end(_ client: Client) {
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

  private func giveUp(_ ticket: Int, _ client: Client) {
    guard let index = lines[client]?.waiting.firstIndex(where: { $0.ticket == ticket }) else { return }
    lines[client]?.waiting.remove(at: index).continuation.resume(returning: false)
  }
}
