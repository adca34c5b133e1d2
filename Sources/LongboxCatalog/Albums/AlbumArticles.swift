// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import LongboxUpstream

/// What is under way, and what failed a moment ago, of the questions to Wikipedia.
struct AlbumArticles: Sendable {
  let work = SharedWork<StoreID, Void>()
  let failures = RecentFailures<StoreID>()
  let outage = SourceOutage<StoreID>()
}
