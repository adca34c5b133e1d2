// Longbox
// SPDX-License-Identifier: MIT

/// The hours of a day without notifications.
public struct QuietHours: Hashable, Sendable {
  /// The start, in minutes since midnight: 0 up to 1439.
  public let from: Int
  /// The end; if it is before the start, it is on the next day.
  public let until: Int

  /// Makes quiet hours; nil if a time is out of range, or both are the same.
  public init?(from: Int, until: Int) {
    guard (0..<1440).contains(from), (0..<1440).contains(until), from != until else { return nil }
    self.from = from
    self.until = until
  }
}
