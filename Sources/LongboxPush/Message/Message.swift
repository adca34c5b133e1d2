// Longbox
// SPDX-License-Identifier: MIT

/// A message for one browser, before it is encrypted.
public struct Message: Identifiable, Sendable {
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

  /// The sender's choice; its ``DeliveryResult`` has the same.
  public let id: Int64
  /// Where it goes.
  public let endpoint: PushEndpoint
  /// The keys of the same subscription.
  public let keys: SubscriberKeys
  /// The text that the browser's service worker gets, at most ``longestText`` bytes.
  public let text: [UInt8]
  /// How long the push service keeps it for a device that is not there, in seconds.
  public let timeToLive: Int
  /// How much a device should do to show it soon.
  public let urgency: Urgency
  /// At most 32 letters, digits, `-` and `_`: takes the place of a message of the same topic that waits for the device (RFC 8030,
  /// section 5.4).
  public let topic: String?

  /// Makes a message.
  public init(
    id: Int64 = 0,
    to endpoint: PushEndpoint,
    _ keys: SubscriberKeys,
    text: [UInt8],
    timeToLive: Int,
    urgency: Urgency = .normal,
    topic: String? = nil
  ) {
    self.id = id
    self.endpoint = endpoint
    self.keys = keys
    self.text = text
    self.timeToLive = timeToLive
    self.urgency = urgency
    self.topic = topic
  }

  /// The longest text, in bytes: push services have to take 4,096 bytes of what is encrypted (RFC 8291, section 4).
  public static var longestText: Int { 4096 - MessageEncryption.overhead }
}
