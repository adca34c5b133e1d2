// Longbox
// SPDX-License-Identifier: MIT

extension Library {
  /// The entries that were written here after a sequence, or all; what is local stays out.
  /// - Parameter sequence: a ``sequence`` of this copy, or nothing for all entries.
  public func changes(since sequence: UInt64?) -> Library {
    var changes = Library()
    forEachRegister(writtenAfter: sequence) { register in
      if !register.entry.key.isLocal { changes.add(register.entry, sequence: 0) }
    }
    return changes
  }

  /// The registers that were written here after a sequence, or all, ordered by key; those that are local too.
  public func registers(writtenAfter sequence: UInt64?) -> [LibraryRegister] {
    var registers: [LibraryRegister] = []
    forEachRegister(writtenAfter: sequence) { registers.append($0) }
    return registers
  }

  /// Passes on the registers that were written here after a sequence, or all; chunks without any are passed over.
  func forEachRegister(writtenAfter sequence: UInt64?, _ body: (LibraryRegister) -> Void) {
    for chunk in entries.chunks {
      if let sequence, chunk.greatestSequence <= sequence { continue }
      for register in chunk.registers {
        if let sequence, register.sequence <= sequence { continue }
        body(register)
      }
    }
  }

  /// Those of a sync's changes that the other side lacks.
  ///
  /// Besides what was written here since, that is whatever the other side sent an earlier version of.
  func changes(since sequence: UInt64?, for received: Library) -> Library {
    var changes = Library()
    var place = 0
    for entry in self.changes(since: sequence).entries {
      while place < received.entries.count, received.entries[place].key < entry.key {
        changes.add(ourVersionOf: received.entries[place], from: self)
        place += 1
      }
      if place < received.entries.count, received.entries[place].key == entry.key {
        changes.add(ourVersionOf: received.entries[place], from: self)
        place += 1
      } else {
        changes.add(entry, sequence: 0)
      }
    }
    while place < received.entries.count {
      changes.add(ourVersionOf: received.entries[place], from: self)
      place += 1
    }
    return changes
  }

  /// Adds what a copy has in the place of an entry, where that differs.
  private mutating func add(ourVersionOf theirs: LibraryEntry, from copy: Library) {
    guard let ours = copy.entry(theirs.key), ours != theirs, !ours.key.isLocal else { return }
    add(ours, sequence: 0)
  }

  /// A sum over all entries that are not local: equal in two copies that hold the same.
  ///
  /// It tells accidents, not forgery: the 64-bit hashes of the entries, added up.
  public var digest: UInt64 {
    if let knownDigest { return knownDigest }
    var sum: UInt64 = 0
    for entry in entries { sum &+= entry.digest }
    return sum
  }
}

extension LibraryEntry {
  /// The entry's part of ``Library/digest``; 0 where it is local.
  var digest: UInt64 {
    guard !key.isLocal else { return 0 }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size + 22)
    bytes.append64(stamp.time)
    bytes.append32(stamp.counter)
    bytes.append64(stamp.device)
    bytes.append(UInt8(truncatingIfNeeded: key.text.count))
    bytes.append(value == nil ? 0 : 1)
    bytes.append(contentsOf: key.text.bytes)
    if let value { bytes.append(contentsOf: value.bytes) }
    return XXH64.hash(bytes.span.bytes)
  }
}
