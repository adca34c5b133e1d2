// Longbox
// SPDX-License-Identifier: MIT

extension Library {
  /// Takes the registers that another node has stored since this copy was read.
  ///
  /// The stored registers come from merges, so each replaces the one here.
  /// - Parameters:
  ///   - registers: those with a sequence after this copy's ``sequence``, ordered by key.
  ///   - sequence: the stored library's sequence.
  /// - Throws: `LibraryError.malformed` if the sequences don't fit, or `.full`; the library is then unchanged.
  public mutating func take(
    _ registers: [LibraryRegister],
    upTo sequence: UInt64
  ) throws(LibraryError) {
    guard sequence >= self.sequence else { throw .malformed }
    var newest = self
    for register in registers {
      guard register.sequence <= sequence else { throw .malformed }
      let place = newest.place(ofFirstNotBefore: register.entry.key.text)
      let old = newest.entry(register.entry.key, at: place)
      newest.put(register.entry, over: old, at: place, sequence: register.sequence)
    }
    guard newest.entries.count <= LibraryLimits.entryCount, newest.size <= LibraryLimits.size else {
      throw .full
    }
    newest.sequence = sequence
    self = newest
  }
}
