// Longbox
// SPDX-License-Identifier: MIT

import LongboxCatalog

/// A cache of rendered pages, keyed by the catalog's generation so that a stale page never matches.
struct RenderedPages: Sendable {
  private struct Key: Hashable {
    var address: String
    /// The server's address in the request, if the page contains it.
    var origin: String
    var generation: Int
  }

  private let cache: MemoryCache<Key, EncodedBody>

  init(limit: Int) {
    cache = MemoryCache(limit: limit)
  }

  /// How often a page was found and not found, and the bytes of all.
  var statistics: (hits: Int, misses: Int, cost: Int) { cache.statistics }

  func page(at address: String, origin: String = "", generation: Int) -> EncodedBody? {
    cache[Key(address: address, origin: origin, generation: generation)]
  }

  func keep(_ page: EncodedBody, at address: String, origin: String = "", generation: Int) {
    cache.insert(
      page,
      for: Key(address: address, origin: origin, generation: generation),
      cost: page.cost + address.utf8.count + origin.utf8.count
    )
  }
}
