// Longbox
// SPDX-License-Identifier: MIT

/// An address has made too many new libraries or subscriptions.
public struct TooManyNew: Error, Equatable, Sendable {
  /// The seconds until it may start the next one.
  public let retryAfter: Int

  /// Makes the error.
  public init(retryAfter: Int) {
    self.retryAfter = retryAfter
  }
}
