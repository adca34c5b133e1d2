// Longbox
// SPDX-License-Identifier: MIT

public import Logging

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
    return Transport { exchange throws(UpstreamError) in try await sender.send(exchange) }
  }
}
