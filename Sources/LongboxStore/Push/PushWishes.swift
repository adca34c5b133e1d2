// Longbox
// SPDX-License-Identifier: MIT

/// How a reader wants to be told of new comics, on one device.
public struct PushWishes: Hashable, Sendable {
  /// Whether neither title nor picture is to be seen before the comic is opened.
  public var hidesSpoilers: Bool
  /// When the reader is not to be disturbed, if ever.
  public var quietHours: QuietHours?
  /// The reader's time zone, by its name in the IANA database, at most 64 letters.
  public var timeZone: String

  /// Makes wishes, by default those of somebody who has none.
  public init(hidesSpoilers: Bool = false, quietHours: QuietHours? = nil, timeZone: String = "UTC") {
    self.hidesSpoilers = hidesSpoilers
    self.quietHours = quietHours
    self.timeZone = timeZone
  }
}
