// Longbox
// SPDX-License-Identifier: MIT

/// The hours of a day in which a reader is not to be disturbed.
public struct QuietHours: Hashable, Sendable {
  /// When they begin, in minutes since midnight: 0 up to 1439.
  public let from: Int
  /// When they end; where that is before they begin, on the next day.
  public let until: Int

  /// Makes quiet hours, or nothing where a time is none of a day, or both are the same.
  public init?(from: Int, until: Int) {
    guard (0..<1440).contains(from), (0..<1440).contains(until), from != until else { return nil }
    self.from = from
    self.until = until
  }
}
