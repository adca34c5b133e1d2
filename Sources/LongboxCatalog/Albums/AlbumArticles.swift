// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import LongboxUpstream

struct AlbumArticles: Sendable {
  let work = SingleFlight<StoreID, Void>()
  let failures = NegativeCache<StoreID>()
  let outage = CircuitBreaker<StoreID>()
}
