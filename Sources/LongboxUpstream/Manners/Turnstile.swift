// Longbox
// SPDX-License-Identifier: MIT

/// Lets one through at a time, in the order of arrival.
public actor Turnstile {
  private struct Waiter {
    let ticket: Int
    let turn: CheckedContinuation<Bool, Never>
  }

  private var isTaken = false
  private var waiters: [Waiter] = []
  private var lastTicket = 0

  /// Makes a turnstile that is free.
  public init() {}

  /// How many are waiting for their turn.
  public var queueLength: Int { waiters.count }

  /// Waits for one's turn.
  ///
  /// Whoever gets it must ``leave()``.
  /// - Throws: `CancellationError` where the task is cancelled while it waits; the turn is then another's.
  public func enter() async throws {
    try Task.checkCancellation()
    guard isTaken else {
      isTaken = true
      return
    }
    lastTicket += 1
    let ticket = lastTicket
    let isMyTurn = await withTaskCancellationHandler {
      await withCheckedContinuation { turn in
        // Cancelled before this line, the handler has nobody to find yet.
        guard !Task.isCancelled else { return turn.resume(returning: false) }
        waiters.append(Waiter(ticket: ticket, turn: turn))
      }
    } onCancel: {
      Task { await self.giveUp(ticket) }
    }
    guard isMyTurn else { throw CancellationError() }
  }

  /// Hands the turn to whoever has waited longest.
  public func leave() {
    guard !waiters.isEmpty else {
      isTaken = false
      return
    }
    waiters.removeFirst().turn.resume(returning: true)
  }

  private func giveUp(_ ticket: Int) {
    guard let index = waiters.firstIndex(where: { $0.ticket == ticket }) else { return }
    waiters.remove(at: index).turn.resume(returning: false)
  }
}

extension Transport {
  /// Sends one request at a time, in the order they came: the "one connection" of a polite client.
  /// - Parameter turnstile: one per source, shared by all who ask it.
  public func passing(_ turnstile: Turnstile) -> Transport {
    let send = self.send
    return Transport { exchange throws(UpstreamError) in
      do { try await turnstile.enter() } catch { throw .cancelled }
      do throws(UpstreamError) {
        let reply = try await send(exchange)
        await turnstile.leave()
        return reply
      } catch {
        await turnstile.leave()
        throw error
      }
    }
  }
}
