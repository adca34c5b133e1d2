// Longbox
// SPDX-License-Identifier: MIT

/// One of many messages, with the one for whom it is.
public struct PushLetter: Sendable {
  /// By which its ``PushDelivery`` is known; its sender's choice.
  public let number: Int64
  /// What to say.
  public let message: PushMessage
  /// Where it goes.
  public let endpoint: PushEndpoint
  /// The keys of the same subscription.
  public let keys: SubscriberKeys

  /// Makes a letter.
  public init(number: Int64, message: PushMessage, endpoint: PushEndpoint, keys: SubscriberKeys) {
    self.number = number
    self.message = message
    self.endpoint = endpoint
    self.keys = keys
  }
}
