// Longbox
// SPDX-License-Identifier: MIT

import LongboxCatalog

/// Pages that were rendered since the last change of anything they are made of.
struct RenderedPages: Sendable {
  private struct Key: Hashable {
    var address: String
    /// By which address the server was reached, where the page names it.
    var origin: String
    var generation: Int
  }

  private let cache: MemoryCache<Key, EncodedBody>

  init(limit: Int) {
    cache = MemoryCache(limit: limit)
  }

  /// The page at an address, where it was rendered of this generation.
  func page(at address: String, origin: String = "", generation: Int) -> EncodedBody? {
    cache[Key(address: address, origin: origin, generation: generation)]
  }

  /// Keeps a page.
  func keep(_ page: EncodedBody, at address: String, origin: String = "", generation: Int) {
    cache.insert(
      page,
      for: Key(address: address, origin: origin, generation: generation),
      cost: page.cost + address.utf8.count + origin.utf8.count
    )
  }
}
