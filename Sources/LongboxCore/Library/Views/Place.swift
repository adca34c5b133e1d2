// Longbox
// SPDX-License-Identifier: MIT

/// The comic that the reader last viewed.
public struct Place: Equatable, Sendable {
  /// The comic.
  public let comic: Comic.Number
  /// When: milliseconds since 1970-01-01 UTC, by the device's clock.
  public let time: UInt64

  /// Creates a place.
  public init(comic: Comic.Number, time: UInt64) {
    self.comic = comic
    self.time = time
  }
}

extension Place {
  /// The maximum age of a place to return to without asking, in milliseconds: eight hours.
  private static var recency: UInt64 { 8 * 3_600_000 }
  /// The maximum age of a place to offer: thirty days.
  private static var longestAbsence: UInt64 { 30 * 24 * 3_600_000 }

  /// Whether the reader was there not long ago, so that Longbox opens there.
  public func isRecent(at now: UInt64) -> Bool {
    now < time || now - time < Self.recency
  }

  /// Whether to offer to go on there: after a while, unless only the latest comic would be left to read.
  public func isOffered(at now: UInt64, latest: Comic.Number) -> Bool {
    !isRecent(at: now) && now - time < Self.longestAbsence && comic != latest && comic.next != latest
  }
}
