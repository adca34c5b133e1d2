// Longbox
// SPDX-License-Identifier: MIT

import Logging
import LongboxServer
import LongboxUpstream

extension Settings {
  /// The questions that show whether the sources answer.
  func sourceQuestions(over connections: HTTPConnections, logger: Logger) -> [SourceQuestion] {
    func question(_ exchange: Exchange, _ origins: Set<WebAddress.Origin>) -> SourceQuestion {
      SourceQuestion(
        exchange,
        over: .live(over: connections, allowing: origins, userAgent: userAgent, logger: logger)
      )
    }
    return [
      question(.check(addresses), addresses.origins.union(Source.xkcd.ownOrigins)),
      question(.check(explainAddress), explainAddress.origins),
      question(.check(itunesAddresses), itunesAddresses.origins),
      wikipediaAddress.map { question(.check($0), $0.origins) } ?? SourceQuestion(unasked: .wikipedia),
    ]
  }
}
