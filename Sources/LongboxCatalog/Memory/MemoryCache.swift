// Longbox
// SPDX-License-Identifier: MIT

import Synchronization

/// The first tier: values kept in memory up to a number of bytes; who was not asked for longest leaves first.
///
/// It is a plain lock around a table: look-ups come from many tasks at once and are far shorter than a hop to an actor.
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
  }

  private let table = Mutex(Table())
  private let limit: Int

  /// Makes an empty cache.
  /// - Parameter limit: how many bytes it may hold, by the costs that its values are given.
  public init(limit: Int) {
    self.limit = limit
  }

  /// The value for a key, which counts as used now.
  public subscript(key: Key) -> Value? {
    table.withLock { table in
      guard let index = table.entries.index(forKey: key) else { return nil }
      table.uses += 1
      table.entries.values[index].lastUse = table.uses
      return table.entries.values[index].value
    }
  }

  /// Keeps a value, unless it alone is above half of the limit.
  /// - Parameters:
  ///   - value: what to keep.
  ///   - key: under which.
  ///   - cost: its bytes.
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

  /// Forgets a value.
  public func remove(_ key: Key) {
    table.withLock { Self.remove(key, from: &$0) }
  }

  /// Forgets everything.
  public func removeAll() {
    table.withLock { $0 = Table() }
  }

  /// The bytes that are held.
  public var cost: Int { table.withLock { $0.cost } }

  private static func remove(_ key: Key, from table: inout Table) {
    guard let entry = table.entries.removeValue(forKey: key) else { return }
    table.cost -= entry.cost
  }

  /// Lets the least recently used leave, a quarter at once: so the sorting is rare.
  private static func shrink(_ table: inout Table, to target: Int) {
    for (key, _) in table.entries.sorted(by: { $0.value.lastUse < $1.value.lastUse }) {
      guard table.cost > target else { return }
      remove(key, from: &table)
    }
  }
}
