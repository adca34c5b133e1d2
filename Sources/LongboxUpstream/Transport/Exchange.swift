// Longbox
// SPDX-License-Identifier: MIT

/// A request to a source: always a GET, because Longbox only reads; equal exchanges under way at the same
/// time become one request: see ``Transport/coalescingRequests()``.
public struct Exchange: Hashable, Sendable {
  /// The source.
  public var source: Source
  /// What is requested, in words for messages: "comic 353".
  public var subject: String
  /// The address.
  public var address: WebAddress
  /// The validator of the stored copy, so that the source can answer "not modified".
  public var validator: Validator?
  /// The longest body in bytes; a longer one is rejected while it streams in.
  public var byteLimit: Int
  /// The time limit for all of it, redirects included, until the last byte; waiting in a queue doesn't count.
  public var timeLimit: Duration

  /// Makes a request.
  public init(
    source: Source,
    subject: String,
    address: WebAddress,
    validator: Validator? = nil,
    byteLimit: Int,
    timeLimit: Duration
  ) {
    self.source = source
    self.subject = subject
    self.address = address
    self.validator = validator
    self.byteLimit = byteLimit
    self.timeLimit = timeLimit
  }
}
