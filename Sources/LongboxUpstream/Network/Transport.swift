// Longbox
// SPDX-License-Identifier: MIT

import AsyncHTTPClient
public import Logging
import NIOCore

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

  /// A transport over the network.
  ///
  /// It follows redirects itself and checks each step: only allowed hosts, and never from https to http. This
  /// prevents server-side request forgery. An address that the operator configures may be private or
  /// loopback.
  /// - Parameters:
  ///   - connections: the connection pool.
  ///   - origins: the allowed hosts: those configured, and the source's own.
  ///   - userAgent: the User-Agent to send.
  ///   - redirectLimit: the most redirects.
  ///   - logger: logs each request at level debug.
  public static func live(
    over connections: HTTPConnections,
    allowing origins: Set<WebAddress.Origin>,
    userAgent: UserAgent,
    redirectLimit: Int = 5,
    logger: Logger
  ) -> Transport {
    let sender = ExchangeSender(
      client: connections.client,
      origins: origins,
      userAgent: userAgent,
      redirectLimit: redirectLimit,
      logger: logger
    )
    return Transport(following: sender.send)
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

/// The connection pool of live transports: one for the whole program, closed at its end.
public struct HTTPConnections: Sendable {
  let client: HTTPClient

  /// Makes a pool.
  ///
  /// Connections open on demand and are kept for a minute, one to a host.
  ///
  /// The pool doesn't retry, redirect or decompress, so that the layers above can count and check everything.
  /// - Parameters:
  ///   - connectTimeout: the time limit for a connection, TLS included.
  ///   - readTimeout: the longest pause while a server sends.
  public init(connectTimeout: Duration = .seconds(10), readTimeout: Duration = .seconds(20)) {
    var configuration = HTTPClient.Configuration()
    configuration.redirectConfiguration = .disallow
    configuration.timeout.connect = TimeAmount(connectTimeout)
    configuration.timeout.read = TimeAmount(readTimeout)
    configuration.connectionPool.idleTimeout = .minutes(1)
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 1
    configuration.connectionPool.retryConnectionEstablishment = false
    configuration.decompression = .disabled
    client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
  }

  /// Runs work with connections, which are closed at its end, also after an error.
  /// - Returns: the result of the work.
  /// - Throws: the error of the work.
  public func closing<Value>(
    isolation: isolated (any Actor)? = #isolation,
    after work: (HTTPConnections) async throws -> Value
  ) async throws -> Value {
    let outcome: Result<Value, any Error>
    do { outcome = .success(try await work(self)) } catch { outcome = .failure(error) }
    try? await close()
    return try outcome.get()
  }

  /// Closes all connections; requests under way fail.
  ///
  /// Call it once, at the end.
  /// - Throws: the HTTP client's errors.
  public func close() async throws {
    try await client.shutdown()
  }
}

/// The User-Agent that Longbox sends to sources: `Longbox/1.0 (+mailto:me@example.org)`.
public struct UserAgent: Hashable, Sendable {
  /// The value of the header.
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
