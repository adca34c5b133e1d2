// Longbox
// SPDX-License-Identifier: MIT

extension Library {
  /// The entries written in this copy after a sequence, without local ones.
  /// - Parameter sequence: a ``sequence`` of this copy, or nil for all entries.
  public func changes(since sequence: UInt64?) -> Library {
    var changes = Library()
    forEachRegister(writtenAfter: sequence) { register in
      if !register.entry.key.isLocal { changes.add(register.entry, sequence: 0) }
    }
    return changes
  }

  /// The entries written in this copy after a sequence, local ones included.
  public func entries(writtenAfter sequence: UInt64) -> Library {
    var written = Library()
    forEachRegister(writtenAfter: sequence) { written.add($0.entry, sequence: 0) }
    return written
  }

  /// The registers written in this copy after a sequence, or all, ordered by key; includes local ones.
  public func registers(writtenAfter sequence: UInt64?) -> [LibraryRegister] {
    var registers: [LibraryRegister] = []
    forEachRegister(writtenAfter: sequence) { registers.append($0) }
    return registers
  }

  /// Calls a closure with the registers written after a sequence, or all; skips chunks without any.
  func forEachRegister(writtenAfter sequence: UInt64?, _ body: (LibraryRegister) -> Void) {
    for chunk in entries.chunks {
      if let sequence, chunk.greatestSequence <= sequence { continue }
      for register in chunk.registers {
        if let sequence, register.sequence <= sequence { continue }
        body(register)
      }
    }
  }

  /// The changes that the other side of a sync lacks.
  ///
  /// These are the entries written since, and those of which the other side sent an earlier version.
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

  /// Adds this copy's version of an entry if it differs.
  private mutating func add(ourVersionOf theirs: LibraryEntry, from copy: Library) {
    guard let ours = copy.entry(theirs.key), ours != theirs, !ours.key.isLocal else { return }
    add(ours, sequence: 0)
  }

  /// An order-independent checksum of all entries that are not local; equal for equal content.
  ///
  /// It is the sum of the entries' 64-bit hashes. It detects accidents, not forgery.
  public var digest: UInt64 {
    if let knownDigest { return knownDigest }
    var sum: UInt64 = 0
    for entry in entries { sum &+= entry.digest }
    return sum
  }
}

extension LibraryEntry {
  /// The entry's share of ``Library/digest``; 0 if it is local.
  var digest: UInt64 {
    guard !key.isLocal else { return 0 }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size + 22)
    bytes.append64(timestamp.time)
    bytes.append32(timestamp.counter)
    bytes.append64(timestamp.device)
    bytes.append(UInt8(truncatingIfNeeded: key.text.count))
    bytes.append(value == nil ? 0 : 1)
    bytes.append(contentsOf: key.text.bytes)
    if let value { bytes.append(contentsOf: value.bytes) }
    return XXH64.hash(bytes.span.bytes)
  }
}
