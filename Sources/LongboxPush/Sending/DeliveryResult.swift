// Longbox
// SPDX-License-Identifier: MIT

/// The result of sending a ``Message``.
public struct DeliveryResult: Sendable {
  /// How a delivery can end.
  public enum Outcome: Equatable, Sendable {
    /// The push service accepted the message.
    case delivered
    /// The subscription no longer exists (404 or 410); send nothing to it again.
    case gone
    /// The push service is overloaded or failing; try again later.
    case later(after: Duration?, reason: String)
    /// The push service didn't answer; it may have accepted the message.
    case unanswered(reason: String)
    /// The push service rejects this server (401 or 403): the subscription is bound to another key, or the token is wrong.
    case unauthorized(reason: String)
    /// The push service rejects this message permanently.
    case rejected(reason: String)
    /// The message was withdrawn before it was sent.
    case unsent
  }

  /// The message's identifier.
  public let message: Message.ID
  /// How the delivery ended.
  public let outcome: Outcome
}
