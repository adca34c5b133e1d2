// Longbox
// SPDX-License-Identifier: MIT

import Logging
import LongboxPush
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

  /// The client that asks explain xkcd, politely.
  func explainClient(over connections: HTTPConnections, logger: Logger) -> ExplainClient {
    let transport = Transport.live(
      over: connections,
      allowing: explainAddress.origins,
      userAgent: userAgent,
      logger: logger
    )
    return ExplainClient(
      transport: transport.checkingWikiErrors().withManners(for: .explain, pace: explainPace),
      address: explainAddress
    )
  }

  /// What sends notifications.
  func sender(_ keys: VAPIDKeys) -> PushSender {
    PushSender(keys: keys, contact: contact, trusting: pushServices)
  }
}
