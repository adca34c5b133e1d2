// Longbox
// SPDX-License-Identifier: MIT

import AsyncHTTPClient
import NIOCore

/// The pool of connections beneath live transports: one for the whole program, closed when it ends.
public struct HTTPConnections: Sendable {
  let client: HTTPClient

  /// Opens nothing yet: a connection is made when it is needed and kept for a minute.
  ///
  /// There is one connection to a host at a time. Nothing is retried or redirected down here, and bodies come
  /// as they are: what is not shown can't be counted or checked.
  /// - Parameters:
  ///   - connectTimeout: the time for a connection, TLS included.
  ///   - readTimeout: the longest silence of a server that should be sending.
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

  /// Closes all connections; what is under way fails.
  ///
  /// To be called once, at the end.
  /// - Throws: what the client meets while closing.
  public func close() async throws {
    try await client.shutdown()
  }
}
