// Longbox
// SPDX-License-Identifier: MIT

/// A message for one browser, before it is encrypted.
public struct Message: Identifiable, Sendable {
  /// How much battery a device should spend to show a message soon (RFC 8030, section 5.3).
  public enum Urgency: String, Sendable {
    /// On power or Wi-Fi.
    case low
    /// On neither power nor Wi-Fi.
    case normal
    /// Even with a low battery.
    case high
  }

  /// Chosen by the sender; its ``DeliveryResult`` has the same.
  public let id: Int64
  /// The subscription's endpoint.
  public let endpoint: PushEndpoint
  /// The subscription's keys.
  public let keys: SubscriberKeys
  /// The text that the browser's service worker receives, at most ``longestText`` bytes.
  public let text: [UInt8]
  /// How long the push service keeps the message for an offline device, in seconds.
  public let timeToLive: Int
  /// How much battery a device should spend to show it soon.
  public let urgency: Urgency
  /// Replaces a waiting message of the same topic (RFC 8030, section 5.4); 32 of `[A-Za-z0-9_-]` at most.
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

  /// The maximum length of a text: push services accept 4,096 encrypted bytes (RFC 8291, section 4).
  public static var longestText: Int { 4096 - MessageEncryption.overhead }
}
