// Longbox
// SPDX-License-Identifier: MIT

/// Goes through the terms of an index in their order.
struct TermCursor {
  /// The term that the cursor stands on.
  private(set) var term: [UInt8] = []
  /// How many bytes the term has in common with the one before, at least.
  private(set) var shared = 0
  private(set) var documents = 0

  private let index: SearchIndex
  private var block: Int
  private var termInBlock = SearchIndexLayout.termsPerBlock
  private var offset = 0
  private var postingsStart = 0
  private var postingsLength = 0

  init(_ index: SearchIndex, block: Int) {
    self.index = index
    self.block = block - 1
    term.reserveCapacity(2 * Tokenizer.longestWord)
  }

  /// The postings of the term that the cursor stands on.
  var postings: TermPostings {
    let start = min(postingsStart, index.end)
    return TermPostings(range: start..<(start + min(postingsLength, index.end - start)), documents: documents)
  }

  /// Goes on to the next term.
  /// - Returns: whether there is one.
  mutating func next() -> Bool {
    if termInBlock == SearchIndexLayout.termsPerBlock {
      block += 1
      guard block < index.blockCount else { return false }
      (offset, postingsStart) = index.block(block)
      postingsLength = 0
      termInBlock = 0
    }
    postingsStart += min(postingsLength, max(0, index.end - postingsStart))
    termInBlock += 1
    let bytes = index.bytes
    let span = bytes.span.bytes
    let end = index.postingsOffset
    guard offset + 2 <= end else { return false }
    let shared = min(Int(span.byte(at: offset)), term.count)
    let added = Int(span.byte(at: offset + 1))
    offset += 2
    guard added <= end - offset else { return false }
    self.shared = shared
    term.removeSubrange(shared...)
    for _ in 0..<added {
      term.append(span.byte(at: offset))
      offset += 1
    }
    guard let documents = span.varint(at: &offset, end: end), let length = span.varint(at: &offset, end: end) else {
      return false
    }
    self.documents = documents
    postingsLength = min(length, index.end)
    return true
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
