// Longbox
// SPDX-License-Identifier: MIT

import LongboxCatalog
import LongboxCore
import LongboxStore

/// The libraries that this node has read, in memory.
///
/// Without other nodes on the store, a cached library equals the stored one, because it is changed only in its queue. With
/// other nodes it may be old.
struct LibraryCache: Sendable {
  private let replicas: MemoryCache<LibraryName, Replica>
  /// The libraries that the names of paired devices stand for; empty unless the store is shared.
  private let homes = MemoryCache<LibraryName, LibraryName>(limit: 4 << 20)
  private let isShared: Bool

  /// The memory of a register besides its key and value, in bytes.
  private static let registerCost = 144
  /// The memory of a name and its home, in bytes.
  private static let homeCost = 200

  /// Makes an empty cache.
  /// - Parameters:
  ///   - memory: the limit of the libraries in bytes.
  ///   - isShared: whether other nodes use the store, so that resolving a name takes a query.
  init(memory: Int, isShared: Bool) {
    replicas = MemoryCache(limit: memory)
    self.isShared = isShared
  }

  /// The cached library with a name; pairings are not resolved.
  subscript(name: LibraryName) -> Replica? { replicas[name] }

  /// The library that a name stands for, as far as this node knows.
  func home(of name: LibraryName) -> LibraryName { homes[name] ?? name }

  /// Notes which library a name stands for.
  func setHome(_ home: LibraryName, of name: LibraryName) {
    guard isShared, home != name else { return homes.remove(name) }
    homes.insert(home, for: name, cost: Self.homeCost)
  }

  /// Forgets which library a name stands for.
  func removeHome(of name: LibraryName) { homes.remove(name) }

  /// Caches a library; the caller is in its queue.
  func insert(_ replica: Replica, as name: LibraryName) {
    var replica = replica
    replica.library.rememberDigest()
    let cost = replica.library.size + Self.registerCost * (replica.library.entries.count + 1)
    replicas.insert(replica, for: name, cost: cost)
  }

  /// Caches a library that was read outside its queue, unless an edit has cached a newer one.
  func insertIfNewer(_ replica: Replica, as name: LibraryName) {
    if let cached = replicas[name], cached.clock.device == replica.clock.device,
      cached.library.sequence >= replica.library.sequence
    {
      return
    }
    insert(replica, as: name)
  }

  /// Forgets a library and its pairing, so that the next read asks the store.
  func remove(_ name: LibraryName) {
    homes.remove(name)
    replicas.remove(name)
  }
}
