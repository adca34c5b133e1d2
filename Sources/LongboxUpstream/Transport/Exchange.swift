// Longbox
// SPDX-License-Identifier: MIT

/// A request to a source: always a GET, since Longbox only ever reads.
///
/// Two equal exchanges under way at the same time are one request: see ``Transport/joiningEqualRequests()``.
public struct Exchange: Hashable, Sendable {
  /// Who is asked.
  public var source: Source
  /// What is asked for, in words that fit a message: "comic 353".
  public var subject: String
  /// Where it is.
  public var address: WebAddress
  /// Header fields besides those that the transport adds by itself.
  public var headers: HeaderFields
  /// What is known of the copy at hand, so that the source can answer "not modified".
  public var validator: Validator?
  /// The longest body that is taken, in bytes; a longer one is refused while it streams in.
  public var byteLimit: Int
  /// The time for the whole of it, redirects included, from sending to the last byte.
  ///
  /// Waiting for one's turn doesn't count.
  public var timeLimit: Duration

  /// Makes a request.
  public init(
    source: Source,
    subject: String,
    address: WebAddress,
    headers: HeaderFields = HeaderFields(),
    validator: Validator? = nil,
    byteLimit: Int,
    timeLimit: Duration
  ) {
    self.source = source
    self.subject = subject
    self.address = address
    self.headers = headers
    self.validator = validator
    self.byteLimit = byteLimit
    self.timeLimit = timeLimit
  }
}
