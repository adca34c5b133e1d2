// Longbox
// SPDX-License-Identifier: MIT

/// A door that a fake request waits at until the test opens it, and that says who has come to it.
final class Gate: Sendable {
  private let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
  private let (openings, opening) = AsyncStream.makeStream(of: Void.self)

  /// Waits at the door.
  ///
  /// Being cancelled ends the wait as well.
  func pass() async {
    arrival.yield()
    for await _ in openings { return }
  }

  /// Lets one through, now or when it comes.
  func open() { opening.yield() }

  /// Waits until one more has come to the door.
  func someoneArrives() async {
    for await _ in arrivals { return }
  }
}

/// Gives other tasks their turn until a condition holds.
///
/// The suite's time limit ends it where it never does.
func eventually(_ condition: () async -> Bool) async {
  while !(await condition()) { await Task.yield() }
}
