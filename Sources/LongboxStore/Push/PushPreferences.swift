// Longbox
// SPDX-License-Identifier: MIT

/// A reader's notification settings on one device.
public struct PushPreferences: Hashable, Sendable {
  /// Whether notifications hide title and picture.
  public var hidesSpoilers: Bool
  /// When to send nothing, if ever.
  public var quietHours: QuietHours?
  /// The reader's time zone, by its name in the IANA database, at most 64 characters.
  public var timeZone: String

  /// Makes settings.
  public init(hidesSpoilers: Bool = false, quietHours: QuietHours? = nil, timeZone: String = "UTC") {
    self.hidesSpoilers = hidesSpoilers
    self.quietHours = quietHours
    self.timeZone = timeZone
  }
}
