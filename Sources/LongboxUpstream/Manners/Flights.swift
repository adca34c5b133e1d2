// Longbox
// SPDX-License-Identifier: MIT

/// The requests under way, so that whoever wants the same thing joins instead of asking again.
actor Flights {
  typealias Outcome = Result<Reply, UpstreamError>

  private struct Flight {
    let number: Int
    let task: Task<Void, Never>
    var waiters: [Int: CheckedContinuation<Outcome, Never>]
  }

  private var flights: [Exchange: Flight] = [:]
  private var lastNumber = 0

  /// How many wait for the reply to an exchange.
  func waiterCount(for exchange: Exchange) -> Int { flights[exchange]?.waiters.count ?? 0 }

  /// Waits for the reply to an exchange, sending it only if no equal one is under way.
  ///
  /// A task that is cancelled stops waiting at once; the request itself is cancelled when nobody waits any more.
  func reply(to exchange: Exchange, over transport: Transport) async -> Outcome {
    lastNumber += 1
    let waiter = lastNumber
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        // Cancelled before this line, the handler has nobody to find yet.
        guard !Task.isCancelled else { return continuation.resume(returning: .failure(.cancelled)) }
        board(exchange, over: transport, waiter, continuation)
      }
    } onCancel: {
      Task { await self.leave(exchange, waiter) }
    }
  }

  private func board(
    _ exchange: Exchange,
    over transport: Transport,
    _ waiter: Int,
    _ continuation: CheckedContinuation<Outcome, Never>
  ) {
    guard flights[exchange] == nil else {
      flights[exchange]?.waiters[waiter] = continuation
      return
    }
    let task = Task {
      let outcome: Outcome
      do throws(UpstreamError) {
        outcome = .success(try await transport.send(exchange))
      } catch {
        outcome = .failure(error)
      }
      land(exchange, flight: waiter, outcome)
    }
    flights[exchange] = Flight(number: waiter, task: task, waiters: [waiter: continuation])
  }

  private func land(_ exchange: Exchange, flight number: Int, _ outcome: Outcome) {
    // A flight that everybody left is no longer in the table; a newer one of the same kind may be.
    guard let flight = flights[exchange], flight.number == number else { return }
    flights[exchange] = nil
    for continuation in flight.waiters.values { continuation.resume(returning: outcome) }
  }

  private func leave(_ exchange: Exchange, _ waiter: Int) {
    guard let continuation = flights[exchange]?.waiters.removeValue(forKey: waiter) else { return }
    continuation.resume(returning: .failure(.cancelled))
    guard let flight = flights[exchange], flight.waiters.isEmpty else { return }
    flights[exchange] = nil
    flight.task.cancel()
  }
}

extension Transport {
  /// Sends equal requests that are under way at the same time once, and gives each who asked the one reply.
  public func joiningEqualRequests() -> Transport { joiningEqualRequests(in: Flights()) }

  /// The same with a table of the caller's, which can then be looked into.
  func joiningEqualRequests(in flights: Flights) -> Transport {
    Transport { exchange throws(UpstreamError) in
      try await flights.reply(to: exchange, over: self).get()
    }
  }
}
