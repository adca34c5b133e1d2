// Longbox
// SPDX-License-Identifier: MIT

/// The byte layout of an inverted index.
///
/// All numbers are little-endian; offsets count from the start of the index. A varint has seven bits a byte,
/// the lowest first, the top bit set on all but the last.
///
///     header    32 bytes
///        0  u16 version            2  u16 number of fields: 3 or 1
///        4  u32 documents          8  u32 terms          12  u32 blocks of terms
///       16  u32 offset of blocks  20  u32 offset of terms
///       24  u32 offset of postings
///       28  u32 end
///     documents  u32 comic number each, ascending; then u8 length of each field (``FieldLength``)
///     blocks     8 bytes each: u32 offset of its first term in terms, u32 offset of its postings in postings
///     terms      ordered by their bytes, 16 a block: u8 bytes shared with the term before (0 for the first),
///                u8 further bytes, those bytes, varint documents, varint length of its postings in bytes
///     postings   for each document of a term varint (number - number before) << 2 | code
///
/// A code says how often the term occurs in which field. Three fields (title, alt text, transcript): 0 once
/// in the transcript, 1 once in the alt text, 2 twice in the transcript, 3 anything else, in one more byte:
/// two bits for the title, three for the alt text, three for the transcript, each saturated. One field: 0 to
/// 3 for once, twice, three or four times, more.
enum SearchIndexLayout {
  static let version: UInt16 = 1
  static let headerLength = 32
  static let blockLength = 8
  static let termsPerBlock = 16

  enum Header {
    static let version = 0
    static let fields = 2
    static let documents = 4
    static let terms = 8
    static let blocks = 12
    static let blocksOffset = 16
    static let termsOffset = 20
    static let postingsOffset = 24
    static let end = 28
  }
}

/// The length of a field in words as one byte: exact up to 15, then in steps of at most an eighth.
enum FieldLength {
  static func encode(_ words: Int) -> UInt8 {
    guard words >= 16 else { return UInt8(max(words, 0)) }
    let exponent = Int.bitWidth - 1 - words.leadingZeroBitCount
    let mantissa = (words >> (exponent - 3)) & 7
    return UInt8(clamping: 16 + (exponent - 4) * 8 + mantissa)
  }

  static func decode(_ byte: UInt8) -> Int {
    guard byte >= 16 else { return Int(byte) }
    let exponent = min((Int(byte) - 16) / 8 + 4, 28)
    return (8 + (Int(byte) - 16) % 8) << (exponent - 3)
  }
}

/// An inverted index, read in place.
///
/// Opening it reads only the header. Reads are bounds-checked: damaged or forged bytes give fewer or wrong
/// results, never a crash.
struct SearchIndex: Sendable {
  let bytes: [UInt8]
  /// 3 for title, alt text and transcript; 1 for explanations.
  let fieldCount: Int
  let documentCount: Int
  let blockCount: Int

  private let documentsOffset: Int
  private let blocksOffset: Int
  private let termsOffset: Int
  let postingsOffset: Int
  let end: Int

  /// Opens an index; nil if this version can't read the bytes.
  /// - Parameters:
  ///   - bytes: the bytes that contain the index.
  ///   - range: its range in them.
  init?(_ bytes: [UInt8], at range: Range<Int>) {
    let start = range.lowerBound
    let span = bytes.span.bytes
    guard
      start >= 0, range.upperBound <= bytes.count, range.count >= SearchIndexLayout.headerLength,
      span.word16(at: start + SearchIndexLayout.Header.version) == SearchIndexLayout.version,
      let documents = span.count32(at: start + SearchIndexLayout.Header.documents),
      let terms = span.count32(at: start + SearchIndexLayout.Header.terms),
      let blocks = span.count32(at: start + SearchIndexLayout.Header.blocks),
      let blocksOffset = span.count32(at: start + SearchIndexLayout.Header.blocksOffset),
      let termsOffset = span.count32(at: start + SearchIndexLayout.Header.termsOffset),
      let postingsOffset = span.count32(at: start + SearchIndexLayout.Header.postingsOffset),
      let end = span.count32(at: start + SearchIndexLayout.Header.end)
    else { return nil }
    let fields = Int(span.word16(at: start + SearchIndexLayout.Header.fields))
    guard
      fields == 1 || fields == 3,
      SearchIndexLayout.headerLength <= blocksOffset, blocksOffset <= termsOffset,
      termsOffset <= postingsOffset, postingsOffset <= end, end <= range.count,
      documents <= (blocksOffset - SearchIndexLayout.headerLength) / (4 + fields),
      blocks <= (termsOffset - blocksOffset) / SearchIndexLayout.blockLength,
      terms <= blocks * SearchIndexLayout.termsPerBlock
    else { return nil }
    self.bytes = bytes
    fieldCount = fields
    documentCount = documents
    blockCount = blocks
    documentsOffset = start + SearchIndexLayout.headerLength
    self.blocksOffset = start + blocksOffset
    self.termsOffset = start + termsOffset
    self.postingsOffset = start + postingsOffset
    self.end = start + end
  }

  /// The number of the comic in a row; 0 if it is invalid.
  func number(ofRow row: Int) -> Int {
    let number = bytes.span.bytes.word32(at: documentsOffset + 4 * row)
    return number <= UInt32(Comic.Number.greatestValue) ? Int(number) : 0
  }

  /// The encoded length of a field (``FieldLength``).
  func length(ofRow row: Int, field: Int) -> UInt8 {
    bytes[documentsOffset + 4 * documentCount + row * fieldCount + field]
  }

  /// The offsets of a block's terms and postings.
  func block(_ block: Int) -> (terms: Int, postings: Int) {
    let span = bytes.span.bytes
    let entry = blocksOffset + block * SearchIndexLayout.blockLength
    let terms = Int(truncatingIfNeeded: min(span.word32(at: entry), UInt32(Int32.max)))
    let postings = Int(truncatingIfNeeded: min(span.word32(at: entry + 4), UInt32(Int32.max)))
    return (
      min(terms, postingsOffset - termsOffset) + termsOffset,
      min(postings, end - postingsOffset) + postingsOffset
    )
  }

  /// The last block whose first term isn't after a word; 0 if there is none.
  func block(for word: ArraySlice<UInt8>) -> Int {
    guard blockCount > 1 else { return 0 }
    return (1..<blockCount).partitioningIndex { comesAfter(word, firstOfBlock: $0) } - 1
  }

  /// Whether the first term of a block is after a word.
  private func comesAfter(_ word: ArraySlice<UInt8>, firstOfBlock block: Int) -> Bool {
    let span = bytes.span.bytes
    let start = self.block(block).terms
    guard start + 2 <= postingsOffset else { return true }
    let length = min(Int(span.byte(at: start + 1)), postingsOffset - start - 2)
    for offset in 0..<min(length, word.count) {
      let byte = span.byte(at: start + 2 + offset)
      let other = word[word.startIndex + offset]
      if byte != other { return byte > other }
    }
    return length > word.count
  }

  enum Step {
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
    for index in 0..<SearchIndexLayout.termsPerBlock {
      guard offset + 2 <= postingsOffset else { return nil }
      let shared = index == 0 ? 0 : Int(span.byte(at: offset))
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

/// The location of a term's postings, and its number of documents.
struct TermPostings: Sendable {
  var range: Range<Int>
  var documents: Int
}

/// A term of an index, as passed by ``SearchIndex/visit(prefix:limit:_:)``.
struct IndexedTerm {
  var bytes: [UInt8] = []
  /// A lower bound of the bytes shared with the previously visited term.
  var shared = 0
  var postings = TermPostings(range: 0..<0, documents: 0)
}
