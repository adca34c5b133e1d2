// Longbox
// SPDX-License-Identifier: MIT

/// A gate where fake requests wait until the test opens it; it reports each arrival.
final class Gate: Sendable {
  private let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
  private let (openings, opening) = AsyncStream.makeStream(of: Void.self)

  /// Waits at the gate; cancellation ends the wait, too.
  func pass() async {
    arrival.yield()
    for await _ in openings { return }
  }

  /// Lets one request through, now or when it arrives.
  func open() { opening.yield() }

  /// Waits for one more arrival.
  func someoneArrives() async {
    for await _ in arrivals { return }
  }
}
