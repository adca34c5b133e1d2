// Longbox
// SPDX-License-Identifier: MIT

/// Sends equal requests once: a request that equals one under way waits for its reply.
actor SingleFlight {
  typealias Outcome = Result<Reply, UpstreamError>

  private struct Call {
    let id: Int
    let task: Task<Void, Never>
    var waiters: [Int: CheckedContinuation<Outcome, Never>]
  }

  private var calls: [Exchange: Call] = [:]
  private var lastID = 0

  func waiterCount(for exchange: Exchange) -> Int { calls[exchange]?.waiters.count ?? 0 }

  /// Waits for the reply to an exchange, and sends it only if no equal one is under way.
  ///
  /// A cancelled task stops waiting at once. The request itself is cancelled when its last waiter leaves.
  func reply(to exchange: Exchange, over transport: Transport) async -> Outcome {
    lastID += 1
    let waiter = lastID
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        // The cancellation handler may have run before there was a waiter to remove.
        guard !Task.isCancelled else { return continuation.resume(returning: .failure(.cancelled)) }
        add(continuation, as: waiter, for: exchange, over: transport)
      }
    } onCancel: {
      Task { await self.remove(waiter, for: exchange) }
    }
  }

  private func add(
    _ continuation: CheckedContinuation<Outcome, Never>,
    as waiter: Int,
    for exchange: Exchange,
    over transport: Transport
  ) {
    guard calls[exchange] == nil else {
      calls[exchange]?.waiters[waiter] = continuation
      return
    }
    let task = Task {
      let outcome: Outcome
      do throws(UpstreamError) {
        outcome = .success(try await transport.send(exchange))
      } catch {
        outcome = .failure(error)
      }
      finish(exchange, call: waiter, with: outcome)
    }
    calls[exchange] = Call(id: waiter, task: task, waiters: [waiter: continuation])
  }

  private func finish(_ exchange: Exchange, call id: Int, with outcome: Outcome) {
    // A call without waiters has been removed; the table may hold a newer equal one.
    guard let call = calls[exchange], call.id == id else { return }
    calls[exchange] = nil
    for continuation in call.waiters.values { continuation.resume(returning: outcome) }
  }

  private func remove(_ waiter: Int, for exchange: Exchange) {
    guard let continuation = calls[exchange]?.waiters.removeValue(forKey: waiter) else { return }
    continuation.resume(returning: .failure(.cancelled))
    guard let call = calls[exchange], call.waiters.isEmpty else { return }
    calls[exchange] = nil
    call.task.cancel()
  }
}

extension Transport {
  /// Sends equal requests that are under way at the same time once; all callers get the one reply.
  public func coalescingRequests() -> Transport { coalescingRequests(in: SingleFlight()) }

  /// The same with a given table, for tests.
  func coalescingRequests(in singleFlight: SingleFlight) -> Transport {
    Transport { exchange throws(UpstreamError) in
      try await singleFlight.reply(to: exchange, over: self).get()
    }
  }
}
