// Longbox
// SPDX-License-Identifier: MIT

/// A term of an index, as ``SearchIndex/visit(prefix:limit:_:)`` comes to it.
struct IndexedTerm {
  /// The folded word.
  var bytes: [UInt8] = []
  /// How many bytes it has in common with the term that was visited before, at least.
  var shared = 0
  /// Where its postings stand.
  var postings = TermPostings(range: 0..<0, documents: 0)
}

extension SearchIndex {
  /// What to do after a term.
  enum Step {
    /// Go on with the next term.
    case next
    /// Go on with the next term that does not begin with the same so many bytes.
    case skip(Int)
  }

  /// The postings of a word, or nothing where no document has it.
  ///
  /// It is asked a hundred times for a misspelt word, so it builds no term, but counts how far the one at hand agrees.
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
      // What differs from the word before that differs still.
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

  /// Calls a closure with each term that begins with a prefix, in order.
  /// - Parameters:
  ///   - prefix: the first bytes of the terms.
  ///   - limit: the most terms that it is called with.
  ///   - body: says how to go on.
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

  /// Goes through the terms from the start of the block in which a word would stand.
  /// - Parameters:
  ///   - word: where to begin.
  ///   - body: says how to go on; nothing ends the walk.
  @inline(never)
  private func walk(from word: ArraySlice<UInt8>, _ body: (borrowing IndexedTerm) -> Step?) {
    let span = bytes.span.bytes
    let end = postingsOffset
    var term = IndexedTerm()
    term.bytes.reserveCapacity(2 * Tokenizer.longestWord)
    // Terms with so many bytes in common with the last one that was built are passed over.
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
          // The first of a block is written whole; what it shares is found by looking.
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
  /// A varint of at most four bytes, or nothing where the bytes end before it does or it is longer.
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
