// Longbox
// SPDX-License-Identifier: MIT

import AsyncHTTPClient
import NIOCore

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
