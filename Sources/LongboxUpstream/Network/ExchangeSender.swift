// Longbox
// SPDX-License-Identifier: MIT

import AsyncHTTPClient
public import Logging
import NIOCore
import NIOHTTP1
import NIOPosix

// Apart from `Transport`, since the fuzzers compile that without what needs other packages.
extension Transport {
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

/// Sends an exchange over the network, with a time limit, redirects and a size limit.
struct ExchangeSender: Sendable {
  let client: HTTPClient
  let origins: Set<WebAddress.Origin>
  let userAgent: UserAgent
  let redirectLimit: Int
  let logger: Logger

  /// How many bytes of an error's body are read: enough for a source's explanation.
  private static let errorBodyLimit = 65_536

  func send(
    _ exchange: Exchange,
    countingRedirects count: @escaping Transport.RedirectCounter
  ) async throws(UpstreamError) -> Reply {
    let outcome = await withTaskGroup(of: Result<Reply, UpstreamError>.self) { group in
      group.addTask { await result(of: exchange, count) }
      group.addTask {
        let timedOut = UpstreamError.timedOut(exchange.source, subject: exchange.subject)
        do { try await Task.sleep(for: exchange.timeLimit) } catch { return .failure(.cancelled) }
        return .failure(timedOut)
      }
      defer { group.cancelAll() }
      return await group.next() ?? .failure(.cancelled)
    }
    return try outcome.get()
  }

  private func result(
    of exchange: Exchange,
    _ count: Transport.RedirectCounter
  ) async -> Result<Reply, UpstreamError> {
    do {
      return .success(try await follow(exchange, count))
    } catch {
      return .failure(Task.isCancelled ? .cancelled : UpstreamError(error, during: exchange))
    }
  }

  private func follow(_ exchange: Exchange, _ count: Transport.RedirectCounter) async throws -> Reply {
    var address = exchange.address
    for redirects in 0...redirectLimit {
      guard origins.contains(address.origin) else {
        throw UpstreamError.rejected(exchange.source, .origin(address.origin))
      }
      if redirects > 0 { await count() }
      let response = try await client.execute(
        request(for: exchange, at: address),
        timeout: TimeAmount(exchange.timeLimit)
      )
      logger.debug(
        "asked a source",
        metadata: ["address": "\(address)", "status": "\(response.status.code)"]
      )
      let next = try Self.redirection(
        status: Int(response.status.code),
        location: response.headers.first(name: "Location"),
        from: address,
        exchange.source
      )
      guard let next else {
        return try await reply(response, to: exchange, from: address)
      }
      address = next
    }
    throw UpstreamError.rejected(exchange.source, .redirects(limit: redirectLimit))
  }

  private func request(for exchange: Exchange, at address: WebAddress) -> HTTPClientRequest {
    var request = HTTPClientRequest(url: address.description)
    request.headers.add(name: "User-Agent", value: userAgent.value)
    for field in exchange.validator?.headers.fields ?? [] {
      request.headers.add(name: field.name, value: field.value)
    }
    return request
  }

  /// The address that a response redirects to, or nil.
  static func redirection(
    status: Int,
    location: String?,
    from address: WebAddress,
    _ source: Source
  ) throws(UpstreamError) -> WebAddress? {
    guard [301, 302, 303, 307, 308].contains(status), let location else { return nil }
    guard let next = address.resolving(location) else {
      throw .rejected(source, .address(String(location.prefix(200))))
    }
    guard address.origin.scheme == .http || next.origin.scheme == .https else {
      throw .rejected(source, .insecureRedirect(next.origin))
    }
    return next
  }

  private func reply(
    _ response: HTTPClientResponse,
    to exchange: Exchange,
    from address: WebAddress
  ) async throws -> Reply {
    var headers = HeaderFields()
    for (name, value) in response.headers { headers.add(name, value) }
    let encoding = headers["Content-Encoding"]?.lowercased() ?? "identity"
    guard encoding == "identity" else {
      throw UpstreamError.malformed(
        exchange.source,
        at: "\(exchange.subject): the body is compressed, which Longbox didn't request"
      )
    }
    let status = Int(response.status.code)
    let announced = headers["Content-Length"].flatMap { Int($0) }
    if status == 200, let announced, announced > exchange.byteLimit {
      throw UpstreamError.rejected(exchange.source, .size(limit: exchange.byteLimit))
    }
    let body = try await body(of: response, isError: status != 200, for: exchange)
    return Reply(status: status, headers: headers, body: body, address: address)
  }

  private func body(of response: HTTPClientResponse, isError: Bool, for exchange: Exchange) async throws
    -> [UInt8]
  {
    var bytes: [UInt8] = []
    for try await part in response.body {
      bytes += part.readableBytesView
      if isError, bytes.count >= Self.errorBodyLimit { break }
      guard isError || bytes.count <= exchange.byteLimit else {
        throw UpstreamError.rejected(exchange.source, .size(limit: exchange.byteLimit))
      }
    }
    return bytes
  }
}

extension UpstreamError {
  init(_ error: any Error, during exchange: Exchange) {
    let source = exchange.source
    switch error {
    case let error as UpstreamError:
      self = error
    case is CancellationError:
      self = .cancelled
    case let error as HTTPClientError:
      self.init(error, during: exchange)
    case let error as NIOConnectionError:
      self = .unreachable(source, reason: Self.reason(error, at: exchange.address.origin))
    case is HTTPParserError:
      self = .unreachable(source, reason: "its answer broke off, or was not HTTP")
    case let error as IOError:
      self = .unreachable(source, reason: Self.reason(error, at: exchange.address.origin))
    case is ChannelError:
      self = .unreachable(source, reason: "the connection broke")
    default:
      self = .unreachable(source, reason: String("\(error)".prefix(160)))
    }
  }

  private init(_ error: HTTPClientError, during exchange: Exchange) {
    switch error {
    case .cancelled:
      self = .cancelled
    case .readTimeout, .writeTimeout, .connectTimeout, .tlsHandshakeTimeout, .deadlineExceeded,
      .getConnectionFromPoolTimeout:
      self = .timedOut(exchange.source, subject: exchange.subject)
    case .remoteConnectionClosed, .uncleanShutdown:
      self = .unreachable(exchange.source, reason: "it closed the connection before its answer was whole")
    default:
      self = .unreachable(exchange.source, reason: error.shortDescription.lowercased())
    }
  }

  private static func reason(_ error: NIOConnectionError, at origin: WebAddress.Origin) -> String {
    guard let failure = error.connectionErrors.first?.error else {
      return "the name \(error.host) is not known, or no name server answers"
    }
    return (failure as? IOError).map { reason($0, at: origin) } ?? "no connection to \(origin)"
  }

  private static func reason(_ error: IOError, at origin: WebAddress.Origin) -> String {
    switch error.errnoCode {
    case ECONNREFUSED: "\(origin) refuses connections"
    case ENETUNREACH, EHOSTUNREACH: "there is no route to \(origin)"
    default: "the connection to \(origin) broke"
    }
  }
}
