// Longbox
// SPDX-License-Identifier: MIT

/// What became of a ``Message``.
public struct DeliveryResult: Sendable {
  /// How the delivery of a message can end.
  public enum Outcome: Equatable, Sendable {
    /// The push service has taken it.
    case delivered
    /// The subscription no longer exists (404 or 410): nothing is to be sent there again.
    case gone
    /// The push service asks for patience, or is in trouble: it may go well later.
    case later(after: Duration?, reason: String)
    /// The push service did not answer at all; it may have taken the message.
    case unanswered(reason: String)
    /// The push service does not take this message, and would not later.
    case refused(reason: String)
    /// It was withdrawn before it was sent.
    case unsent
  }

  /// Which message it was.
  public let message: Message.ID
  /// How it ended.
  public let outcome: Outcome
}
