// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import LongboxStore

/// Covers in memory, and those that are being fetched.
struct AlbumCovers: Sendable {
  struct Key: Hashable, Sendable {
    var album: StoreID
    var size: ArtworkSize
    /// Where it comes from: another address, another cover.
    var address: String
  }

  let memory = MemoryCache<Key, PictureContent>(limit: 8 << 20)
  let work = SharedWork<Key, Void>()
  let failures = RecentFailures<Key>()
  let outage = SourceOutage<Key>()
}
