// Longbox
// SPDX-License-Identifier: MIT

/// Sends a request to a source and returns the reply: the network, or what stands in for it.
///
/// Clients such as ``XkcdClient`` are concrete and take a transport, so that tests and the sample box run the
/// same code as the network. Rate, retries and joined requests are the policy of ``SourceClient``, which sends over a
/// transport.
///
///     let sample = Transport { exchange throws(UpstreamError) in
///       Reply(status: 200, body: files[exchange.address.target] ?? [], address: exchange.address)
///     }
public struct Transport: Sendable {
  typealias RedirectCounter = @Sendable () async -> Void

  private let exchange: @Sendable (Exchange, @escaping RedirectCounter) async throws(UpstreamError) -> Reply

  /// Makes a transport of a closure that follows no redirects.
  public init(send: @escaping @Sendable (Exchange) async throws(UpstreamError) -> Reply) {
    exchange = { exchange, _ throws(UpstreamError) in try await send(exchange) }
  }

  /// Makes a transport of a closure that counts each redirect before it follows it.
  init(
    following exchange:
      @escaping @Sendable (Exchange, @escaping RedirectCounter) async throws(UpstreamError) -> Reply
  ) {
    self.exchange = exchange
  }

  /// Sends a request and waits for the whole reply, which may have any status.
  public func send(_ exchange: Exchange) async throws(UpstreamError) -> Reply {
    try await send(exchange) {}
  }

  /// Sends a request, and counts each redirect before it is followed, since it is one more request to the source.
  func send(
    _ exchange: Exchange,
    countingRedirects count: @escaping RedirectCounter
  ) async throws(UpstreamError) -> Reply {
    try await self.exchange(exchange, count)
  }
}

/// The User-Agent that Longbox sends to sources: `Longbox/1.0 (+mailto:me@example.org)`.
public struct UserAgent: Hashable, Sendable {
  public let value: String

  /// Makes a User-Agent.
  /// - Parameters:
  ///   - version: the program's version.
  ///   - contact: the operator's e-mail address or URL (`LONGBOX_CONTACT`); left out if empty.
  /// - Throws: ``SettingError/contact(_:)`` if the contact can't be part of a header's comment.
  public init(version: String, contact: String?) throws(SettingError) {
    guard let contact, !contact.isEmpty else {
      value = "Longbox/\(version)"
      return
    }
    // RFC 9110 section 5.6.5: in a comment, parentheses and backslashes have a meaning.
    let isPlain = contact.utf8.allSatisfy { (0x20...0x7E).contains($0) && !"()\\".utf8.contains($0) }
    guard isPlain, contact.utf8.count <= 200 else { throw .contact(contact) }
    value = "Longbox/\(version) (+\(contact))"
  }
}
