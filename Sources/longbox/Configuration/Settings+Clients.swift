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

  /// The client that asks the iTunes Store, politely.
  func itunesClient(over connections: HTTPConnections, logger: Logger) -> ITunesClient {
    ITunesClient(
      transport: .live(
        over: connections,
        allowing: itunesAddresses.origins,
        userAgent: userAgent,
        logger: logger
      ),
      artwork: Transport.live(
        over: connections,
        allowing: itunesAddresses.artworkOrigins,
        userAgent: userAgent,
        logger: logger
      ),
      artworkPace: TokenBucket(Source.artwork.pace, clock: ContinuousClock()),
      addresses: itunesAddresses,
      window: CallWindow(limit: itunesRate, span: .seconds(60), clock: ContinuousClock())
    )
  }

  /// The client that asks Wikipedia, politely; nothing where nobody has said who runs this server.
  func wikipediaClient(over connections: HTTPConnections, logger: Logger) -> WikipediaClient? {
    wikipediaAddress.map { address in
      let transport = Transport.live(
        over: connections,
        allowing: address.origins,
        userAgent: userAgent,
        logger: logger
      )
      return WikipediaClient(
        transport: transport.checkingWikiErrors().withManners(for: .wikipedia),
        address: address
      )
    }
  }

  /// What sends notifications.
  func sender(_ keys: VAPIDKeys) -> PushSender {
    PushSender(keys: keys, contact: contact, trusting: pushServices)
  }
}
