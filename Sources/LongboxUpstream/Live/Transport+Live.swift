// Longbox
// SPDX-License-Identifier: MIT

public import Logging

extension Transport {
  /// The transport over the network.
  ///
  /// It follows redirects by itself, so that each step can be checked: only hosts that are allowed, and never
  /// from https to http. What a source sends can therefore not make this server ask another machine, its own
  /// network's least of all (server-side request forgery); an address that the operator has configured may be
  /// private or loopback.
  /// - Parameters:
  ///   - connections: where connections come from.
  ///   - origins: the hosts that may be asked: those configured, and the source's own.
  ///   - userAgent: who is asking.
  ///   - redirectLimit: how many redirects are followed.
  ///   - logger: is told of each request at level debug.
  public static func live(
    over connections: HTTPConnections,
    allowing origins: Set<WebAddress.Origin>,
    userAgent: UserAgent,
    redirectLimit: Int = 5,
    logger: Logger
  ) -> Transport {
    let route = LiveRoute(
      client: connections.client,
      origins: origins,
      userAgent: userAgent,
      redirectLimit: redirectLimit,
      logger: logger
    )
    return Transport { exchange throws(UpstreamError) in try await route.send(exchange) }
  }
}
