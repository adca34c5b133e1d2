// Longbox
// SPDX-License-Identifier: MIT

/// How long a quiz has been played, pauses left out.
///
/// It reads no clock: the time is passed in.
public struct QuizTimer: Equatable, Sendable {
  /// Whether time passes.
  public enum State: UInt8, Sendable {
    /// The quiz is played.
    case running = 0
    /// The quiz waits.
    case paused = 1
    /// The quiz is over.
    case stopped = 2
  }

  /// Whether time passes.
  public private(set) var state = State.running
  /// The milliseconds played until the last pause.
  private var played: UInt64 = 0
  /// Since when time passes: milliseconds since 1970-01-01 UTC; 0 where it does not.
  private var since: UInt64

  /// Makes a timer that runs.
  /// - Parameter now: milliseconds since 1970-01-01 UTC.
  public init(at now: UInt64) {
    since = min(now, Stamp.greatestTime)
  }

  /// The milliseconds played; a clock that was set back takes nothing away.
  public func elapsed(at now: UInt64) -> UInt64 {
    guard state == .running, now > since else { return played }
    return min(played + (min(now, Stamp.greatestTime) - since), Stamp.greatestTime)
  }

  /// Stops the time until the quiz is played on.
  public mutating func pause(at now: UInt64) { halt(.paused, at: now) }

  /// Lets time pass again, where it was paused.
  public mutating func resume(at now: UInt64) {
    guard state == .paused else { return }
    state = .running
    since = min(now, Stamp.greatestTime)
  }

  /// Stops the time for good.
  public mutating func stop(at now: UInt64) { halt(.stopped, at: now) }

  private mutating func halt(_ next: State, at now: UInt64) {
    guard state != .stopped else { return }
    played = elapsed(at: now)
    state = next
    since = 0
  }

  /// Adds the timer: u8 state, varint milliseconds played, varint since when.
  func append(to bytes: inout [UInt8]) {
    bytes.append(state.rawValue)
    bytes.appendVarint(played)
    bytes.appendVarint(since)
  }

  init(reading reader: inout ByteReader) throws(LibraryError) {
    guard let state = State(rawValue: try reader.byte()) else { throw .malformed }
    self.state = state
    played = try reader.time()
    since = try reader.time()
    guard state == .running || since == 0 else { throw .malformed }
  }
}
