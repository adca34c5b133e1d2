// Longbox
// SPDX-License-Identifier: MIT

extension SearchIndex {
  /// The next step after a term.
  enum Step {
    /// Continue with the next term.
    case next
    /// Continue with the next term that doesn't share this many bytes at the start.
    case skip(Int)
  }

  /// The postings of a word, or nil if no document has it.
  ///
  /// It is called a hundred times for a misspelt word, so it only counts matching bytes and builds no term.
  func find(_ word: ArraySlice<UInt8>) -> TermPostings? {
    guard blockCount > 0 else { return nil }
    let span = bytes.span.bytes
    let wanted = word.span
    var (offset, postings) = block(block(for: word))
    var agreed = 0
    for place in 0..<SearchIndexLayout.termsPerBlock {
      guard offset + 2 <= postingsOffset else { return nil }
      let shared = place == 0 ? 0 : Int(span.byte(at: offset))
      let added = Int(span.byte(at: offset + 1))
      offset += 2
      guard added <= postingsOffset - offset else { return nil }
      let suffix = offset
      offset += added
      guard
        let documents = span.varint(at: &offset, end: postingsOffset),
        let length = span.varint(at: &offset, end: postingsOffset)
      else { return nil }
      let start = postings
      postings += min(length, end - postings)
      // A term that shares more than the matching bytes with its predecessor differs at the same byte.
      guard shared <= agreed else { continue }
      agreed = shared
      while agreed < wanted.count, agreed - shared < added,
        span.byte(at: suffix + agreed - shared) == wanted[agreed]
      {
        agreed += 1
      }
      if agreed == wanted.count, agreed - shared == added {
        return TermPostings(range: start..<postings, documents: documents)
      }
    }
    return nil
  }

  /// Calls a closure with the number of each comic that has a term, in an index of three fields.
  func visitDocuments(of postings: TermPostings, _ body: (Int) -> Void) {
    let span = bytes.span.bytes
    var offset = postings.range.lowerBound
    var number = 0
    while let delta = span.varint(at: &offset, end: postings.range.upperBound) {
      number += delta >> 2
      guard number <= Comic.Number.greatestValue else { return }
      // Only code 3 is followed by counts per field.
      if delta & 3 == 3 { offset += 1 }
      body(number)
    }
  }

  /// Calls a closure with each term that begins with a prefix, in order.
  /// - Parameters:
  ///   - prefix: the first bytes of the terms.
  ///   - limit: the maximum number of calls.
  ///   - body: returns the next step.
  func visit(prefix: ArraySlice<UInt8>, limit: Int, _ body: (borrowing IndexedTerm) -> Step) {
    var left = limit
    walk(from: prefix) { term in
      guard term.bytes.starts(with: prefix) else {
        return prefix.lexicographicallyPrecedes(term.bytes) ? nil : .next
      }
      left -= 1
      return left < 0 ? nil : body(term)
    }
  }

  /// Iterates over the terms from the start of the block that would contain a word.
  /// - Parameters:
  ///   - word: where to start.
  ///   - body: returns the next step; nil ends the iteration.
  @inline(never)
  private func walk(from word: ArraySlice<UInt8>, _ body: (borrowing IndexedTerm) -> Step?) {
    let span = bytes.span.bytes
    let end = postingsOffset
    var term = IndexedTerm()
    term.bytes.reserveCapacity(2 * Tokenizer.longestWord)
    // Terms that share at least this many bytes with the last built term are skipped.
    var skipped = Int.max
    for block in self.block(for: word)..<max(blockCount, self.block(for: word)) {
      var (offset, postings) = self.block(block)
      for place in 0..<SearchIndexLayout.termsPerBlock {
        guard offset + 2 <= end else { return }
        var shared = min(Int(span.byte(at: offset)), term.bytes.count)
        var added = Int(span.byte(at: offset + 1))
        offset += 2
        guard added <= end - offset else { return }
        let suffix = offset
        offset += added
        guard
          let documents = span.varint(at: &offset, end: end), let length = span.varint(at: &offset, end: end)
        else { return }
        let start = postings
        postings += min(length, self.end - postings)
        var from = suffix
        if place == 0 {
          // The first term of a block is stored whole, so count the shared bytes.
          shared = 0
          while shared < min(added, term.bytes.count), span.byte(at: from) == term.bytes[shared] {
            shared += 1
            from += 1
          }
          added -= shared
        }
        if shared >= skipped { continue }
        skipped = .max
        term.shared = shared
        term.bytes.removeLast(term.bytes.count - shared)
        for index in from..<(from + added) { term.bytes.append(span.byte(at: index)) }
        term.postings = TermPostings(range: start..<postings, documents: documents)
        switch body(term) {
        case .next: break
        case .skip(let count): skipped = max(count, 1)
        case nil: return
        }
      }
    }
  }
}

extension RawSpan {
  /// A varint of at most four bytes; nil if it is cut off or longer.
  @inline(__always)
  func varint(at offset: inout Int, end: Int) -> Int? {
    guard offset < end else { return nil }
    let first = byte(at: offset)
    offset += 1
    guard first >= 0x80 else { return Int(first) }
    var value = Int(first & 0x7F)
    var shift = 7
    while shift < 28 {
      guard offset < end else { return nil }
      let next = byte(at: offset)
      offset += 1
      value |= Int(next & 0x7F) << shift
      if next < 0x80 { return value }
      shift += 7
    }
    return nil
  }
}
