// Longbox
// SPDX-License-Identifier: MIT

/// What became of a ``PushLetter``.
public struct PushDelivery: Sendable {
  /// The letter's number.
  public let number: Int64
  /// How it ended; nothing where it was not sent.
  public let outcome: PushOutcome?
}
