// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import LongboxStore

struct AlbumCovers: Sendable {
  struct Key: Hashable, Sendable {
    var album: StoreID
    var size: ArtworkSize
    /// Part of the key, so a cover from an old address never matches.
    var address: String
  }

  let memory = MemoryCache<Key, PictureContent>(limit: 8 << 20)
  let work = SingleFlight<Key, Void>()
  let failures = NegativeCache<Key>()
  let outage = CircuitBreaker<Key>()
}
