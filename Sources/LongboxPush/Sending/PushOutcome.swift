// Longbox
// SPDX-License-Identifier: MIT

/// What became of a message.
public enum PushOutcome: Equatable, Sendable {
  /// The push service has taken it.
  case delivered
  /// The subscription is no more (404 or 410): nothing is to be sent there again.
  case gone
  /// The push service asks for patience, or is in trouble: it may go well later.
  case later(after: Duration?, reason: String)
  /// The push service did not answer at all; nobody knows whether it has taken the message.
  case unanswered(reason: String)
  /// The push service does not take this message, and would not later.
  case refused(reason: String)
}
