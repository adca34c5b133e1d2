// Longbox
// SPDX-License-Identifier: MIT

/// The playing time of a quiz, without pauses.
///
/// The caller passes the current time in.
public struct QuizTimer: Equatable, Sendable {
  /// The state of the timer.
  public enum State: UInt8, Sendable {
    /// The quiz is running.
    case running = 0
    /// The quiz is paused.
    case paused = 1
    /// The quiz is over.
    case stopped = 2
  }

  /// The current state.
  public private(set) var state = State.running
  /// The milliseconds played up to the last pause.
  private var played: UInt64 = 0
  /// When the timer last started, in milliseconds since 1970-01-01 UTC; 0 if it isn't running.
  private var since: UInt64

  /// Creates a running timer.
  /// - Parameter now: milliseconds since 1970-01-01 UTC.
  public init(at now: UInt64) {
    since = min(now, Timestamp.greatestTime)
  }

  /// The milliseconds played; a clock that was set back doesn't reduce them.
  public func elapsed(at now: UInt64) -> UInt64 {
    guard state == .running, now > since else { return played }
    return min(played + (min(now, Timestamp.greatestTime) - since), Timestamp.greatestTime)
  }

  /// Pauses the timer.
  public mutating func pause(at now: UInt64) { halt(.paused, at: now) }

  /// Resumes a paused timer.
  public mutating func resume(at now: UInt64) {
    guard state == .paused else { return }
    state = .running
    since = min(now, Timestamp.greatestTime)
  }

  /// Stops the timer for good.
  public mutating func stop(at now: UInt64) { halt(.stopped, at: now) }

  private mutating func halt(_ next: State, at now: UInt64) {
    guard state != .stopped else { return }
    played = elapsed(at: now)
    state = next
    since = 0
  }

  /// Appends the timer: u8 state, varint milliseconds played, varint start time.
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
