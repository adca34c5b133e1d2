// Longbox
// SPDX-License-Identifier: MIT

extension Library {
  /// The entries that were written here after a sequence, or all; what is local stays out.
  /// - Parameter sequence: a ``sequence`` of this copy, or nothing for all entries.
  public func changes(since sequence: UInt64?) -> Library {
    var changes = Library()
    for place in entries.indices where !entries[place].key.isLocal {
      if let sequence, sequences[place] <= sequence { continue }
      changes.add(entries[place], sequence: 0)
    }
    return changes
  }

  /// Those of a sync's changes that the other side lacks.
  ///
  /// Besides what was written here since, that is whatever the other side sent an earlier version of.
  func changes(since sequence: UInt64?, for received: Library) -> Library {
    var changes = Library()
    var index = 0
    for place in entries.indices where !entries[place].key.isLocal {
      while index < received.entries.count, received.entries[index].key < entries[place].key { index += 1 }
      var isNew = sequence.map { sequences[place] > $0 } ?? true
      if index < received.entries.count, received.entries[index].key == entries[place].key {
        isNew = received.entries[index] != entries[place]
      }
      if isNew { changes.add(entries[place], sequence: 0) }
    }
    return changes
  }

  /// A sum over all entries that are not local: equal in two copies that hold the same.
  ///
  /// It tells accidents, not forgery: the 64-bit hashes of the entries, added up.
  public var digest: UInt64 {
    var sum: UInt64 = 0
    var bytes: [UInt8] = []
    for entry in entries where !entry.key.isLocal {
      bytes.removeAll(keepingCapacity: true)
      bytes.append64(entry.stamp.time)
      bytes.append32(entry.stamp.counter)
      bytes.append64(entry.stamp.device)
      bytes.append(UInt8(truncatingIfNeeded: entry.key.text.count))
      bytes.append(entry.value == nil ? 0 : 1)
      bytes.append(contentsOf: entry.key.text.bytes)
      if let value = entry.value { bytes.append(contentsOf: value.bytes) }
      sum &+= XXH64.hash(bytes.span.bytes)
    }
    return sum
  }
}
