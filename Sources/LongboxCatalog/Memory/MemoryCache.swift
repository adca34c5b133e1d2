// Longbox
// SPDX-License-Identifier: MIT

import Synchronization

/// A memory cache with a limit in bytes.
///
/// The least recently used values leave first.
///
/// A lock around a table: look-ups come from many tasks and are far shorter than a hop to an actor.
public final class MemoryCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private struct Entry {
    var value: Value
    var cost: Int
    var lastUse: UInt64
  }

  private struct Table {
    var entries: [Key: Entry] = [:]
    var cost = 0
    var uses: UInt64 = 0
    var hits = 0
    var misses = 0
  }

  private let table = Mutex(Table())
  private let limit: Int

  /// Makes an empty cache.
  /// - Parameter limit: the most bytes, as the sum of the values' costs.
  public init(limit: Int) {
    self.limit = limit
  }

  /// The value for a key, which counts as used now.
  public subscript(key: Key) -> Value? {
    table.withLock { table in
      guard let index = table.entries.index(forKey: key) else {
        table.misses += 1
        return nil
      }
      table.hits += 1
      table.uses += 1
      table.entries.values[index].lastUse = table.uses
      return table.entries.values[index].value
    }
  }

  /// Caches a value, unless its cost exceeds half of the limit.
  /// - Parameters:
  ///   - value: the value.
  ///   - key: its key.
  ///   - cost: its size in bytes.
  public func insert(_ value: Value, for key: Key, cost: Int) {
    table.withLock { table in
      Self.remove(key, from: &table)
      guard cost <= limit / 2 else { return }
      table.uses += 1
      table.entries[key] = Entry(value: value, cost: cost, lastUse: table.uses)
      table.cost += cost
      guard table.cost > limit else { return }
      Self.shrink(&table, to: limit - limit / 4)
    }
  }

  public func remove(_ key: Key) {
    table.withLock { Self.remove(key, from: &$0) }
  }

  public func removeAll() {
    table.withLock { table in
      table.entries = [:]
      table.cost = 0
    }
  }

  /// How often a value was found and not found, and the total cost in bytes.
  public var statistics: (hits: Int, misses: Int, cost: Int) {
    table.withLock { ($0.hits, $0.misses, $0.cost) }
  }

  private static func remove(_ key: Key, from table: inout Table) {
    guard let entry = table.entries.removeValue(forKey: key) else { return }
    table.cost -= entry.cost
  }

  /// Removes the least recently used values, a quarter of the limit at once, so that sorting is rare.
  private static func shrink(_ table: inout Table, to target: Int) {
    for (key, _) in table.entries.sorted(by: { $0.value.lastUse < $1.value.lastUse }) {
      guard table.cost > target else { return }
      remove(key, from: &table)
    }
  }
}
