// Longbox
// SPDX-License-Identifier: MIT

import Logging
import LongboxPush
import LongboxServer
import LongboxUpstream

extension Settings {
  func xkcdClient(
    over connections: HTTPConnections,
    observer: RequestObserver? = nil,
    term: @escaping @Sendable () -> Int? = { nil },
    logger: Logger
  ) -> XkcdClient {
    let transport = Transport.live(
      over: connections,
      allowing: addresses.origins,
      userAgent: userAgent,
      logger: logger
    )
    return XkcdClient(
      source: SourceClient(.xkcd, over: transport, pace: pace, observer: observer, term: term),
      addresses: addresses
    )
  }

  func explainClient(
    over connections: HTTPConnections,
    observer: RequestObserver? = nil,
    term: @escaping @Sendable () -> Int? = { nil },
    logger: Logger
  ) -> ExplainClient {
    let transport = Transport.live(
      over: connections,
      allowing: explainAddress.origins,
      userAgent: userAgent,
      logger: logger
    )
    return ExplainClient(
      source: SourceClient(.explain, over: transport, pace: explainPace, observer: observer, term: term),
      address: explainAddress
    )
  }

  func itunesClient(
    over connections: HTTPConnections,
    observer: RequestObserver? = nil,
    logger: Logger
  ) -> ITunesClient {
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
      artworkPace: RequestLimiter(Source.artwork.pace, clock: ContinuousClock()),
      addresses: itunesAddresses,
      limiter: RequestLimiter(limit: itunesRate, span: .seconds(60), clock: ContinuousClock()),
      observer: observer
    )
  }

  /// The client of Wikipedia, with its request policies; nil without a contact.
  func wikipediaClient(
    over connections: HTTPConnections,
    observer: RequestObserver? = nil,
    logger: Logger
  ) -> WikipediaClient? {
    wikipediaAddress.map { address in
      let transport = Transport.live(
        over: connections,
        allowing: address.origins,
        userAgent: userAgent,
        logger: logger
      )
      return WikipediaClient(
        source: SourceClient(.wikipedia, over: transport, observer: observer),
        address: address
      )
    }
  }

  func sender(
    _ keys: VAPIDKeys,
    observer: (@Sendable (DeliveryResult.Outcome) -> Void)? = nil
  ) -> PushSender {
    var sender = PushSender(keys: keys, contact: contact, trusting: pushServices)
    sender.observer = observer
    return sender
  }

  /// The questions that show whether the sources answer.
  func sourceQuestions(over connections: HTTPConnections, logger: Logger) -> [SourceQuestion] {
    func question(_ exchange: Exchange, _ origins: Set<WebAddress.Origin>) -> SourceQuestion {
      SourceQuestion(
        exchange,
        over: .live(over: connections, allowing: origins, userAgent: userAgent, logger: logger)
      )
    }
    return [
      question(.check(addresses), addresses.origins),
      question(.check(explainAddress), explainAddress.origins),
      question(.check(itunesAddresses), itunesAddresses.origins),
      wikipediaAddress.map { question(.check($0), $0.origins) } ?? SourceQuestion(unasked: .wikipedia),
    ]
  }
}
