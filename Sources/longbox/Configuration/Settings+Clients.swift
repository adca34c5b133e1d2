// Longbox
// SPDX-License-Identifier: MIT

import Logging
import LongboxUpstream

extension Settings {
  /// The client that asks xkcd, politely.
  func xkcdClient(over connections: HTTPConnections, logger: Logger) -> XkcdClient {
    let transport = Transport.live(
      over: connections,
      allowing: addresses.origins.union(Source.xkcd.ownOrigins),
      userAgent: userAgent,
      logger: logger
    )
    return XkcdClient(transport: transport.withManners(for: .xkcd, pace: pace), addresses: addresses)
  }
}
