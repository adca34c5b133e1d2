// Longbox
// SPDX-License-Identifier: MIT

/// Lets calls through one at a time, and at most so many in any span; who comes too early waits in line and can learn for how
/// long.
///
/// A call counts when it goes out. So a source that asks for patience gets it from all who are still in line, and one that
/// hangs meets no crowd when it recovers.
///
/// A ``TokenBucket`` gives an even pace. This one gives all of a limit at once, "20 calls a minute", and then lets readers wait;
/// so what is stored meanwhile serves most of them, and the others see a number that goes down.
public actor CallWindow<Time: Clock> where Time.Duration == Duration {
  private struct Waiter {
    let ticket: Int
    let address: WebAddress
  }

  /// How many may wait; more are refused, for they would wait for half an hour.
  private static var most: Int { 400 }

  private let limit: Int
  private let span: Duration
  private let clock: Time
  /// When the last calls went out, as many as the limit.
  private var calls: [Time.Instant] = []
  private var line: [Waiter] = []
  /// The call that is out, whose sender has yet to come back.
  private var out: WebAddress?
  /// Only the first in line looks at the clock.
  private let turnstile = Turnstile()
  private var lastTicket = 0
  private var heldUntil: Time.Instant

  /// Makes a window through which nothing has gone yet.
  /// - Parameters:
  ///   - limit: how many calls may go out in any span.
  ///   - span: how long that is.
  ///   - clock: what it is measured by.
  public init(limit: Int, span: Duration, clock: Time) {
    self.limit = max(1, limit)
    self.span = span
    self.clock = clock
    heldUntil = clock.now
  }

  /// How many wait in line.
  public var lineLength: Int { line.count }

  /// Waits until a call may go out, and counts it.
  ///
  /// Whoever gets through must ``leave()``. A task that is cancelled leaves the line and counts for nothing.
  /// - Parameter address: what is asked, to be found again by ``wait(for:)``.
  /// - Throws: `CancellationError`, also where the line is too long.
  public func enter(_ address: WebAddress) async throws {
    guard line.count < Self.most else { throw CancellationError() }
    lastTicket += 1
    let ticket = lastTicket
    line.append(Waiter(ticket: ticket, address: address))
    defer { line.removeAll { $0.ticket == ticket } }
    try await turnstile.enter()
    do {
      while true {
        let turn = turn(at: 0)
        guard turn > clock.now else { break }
        try await clock.sleep(until: turn, tolerance: nil)
      }
    } catch {
      await turnstile.leave()
      throw error
    }
    out = address
    calls.append(clock.now)
    calls.removeFirst(max(0, calls.count - limit))
  }

  /// The call that was out has come back, with an answer or without: the next may go.
  public func leave() async {
    out = nil
    await turnstile.leave()
  }

  /// How long a call has to wait: the one in line for an address, or else one that would come now.
  ///
  /// The one that is out waits no more. How long it will be out nobody knows; it counts as no time.
  public func wait(for address: WebAddress) -> Duration {
    guard address != out else { return .zero }
    let place = line.firstIndex { $0.address == address } ?? line.count
    let now = clock.now
    return max(.zero, now.duration(to: turn(at: place)))
  }

  /// Lets nothing through for a time, because the source asks for patience.
  public func hold(for duration: Duration) {
    heldUntil = max(heldUntil, clock.now.advanced(by: duration))
  }

  /// When the call at a place in the line may go out: after those before it, and a span after the one that is as many calls
  /// before it as the limit.
  private func turn(at place: Int) -> Time.Instant {
    var times = calls
    let start = max(clock.now, heldUntil)
    for _ in 0...place {
      let oldest = times.count >= limit ? times[times.count - limit] : nil
      times.append(max(start, oldest?.advanced(by: span) ?? start))
    }
    return times[times.count - 1]
  }
}
