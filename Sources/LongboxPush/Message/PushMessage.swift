// Longbox
// SPDX-License-Identifier: MIT

/// A message for a browser, before it is encrypted.
public struct PushMessage: Sendable {
  /// How much a device should do to show it soon (RFC 8030, section 5.3).
  public enum Urgency: String, Sendable {
    /// On power and wireless.
    case veryLow = "very-low"
    /// On either.
    case low
    /// Whenever the device is awake.
    case normal
    /// Also with a low battery.
    case high
  }

  /// The text that the browser's service worker gets, at most ``longestText`` bytes.
  public var text: [UInt8]
  /// How long the push service keeps it for a device that is not there, in seconds.
  public var timeToLive: Int
  /// How much a device should do to show it soon.
  public var urgency: Urgency
  /// At most 32 letters, digits, `-` and `_`: takes the place of a message of the same topic that waits for the device (RFC 8030,
  /// section 5.4).
  public var topic: String?

  /// Makes a message.
  public init(_ text: [UInt8], timeToLive: Int, urgency: Urgency = .normal, topic: String? = nil) {
    self.text = text
    self.timeToLive = timeToLive
    self.urgency = urgency
    self.topic = topic
  }

  /// The longest text, in bytes: push services have to take 4,096 bytes of what is encrypted (RFC 8291, section 4).
  public static var longestText: Int { 4096 - MessageEncryption.overhead }
}
