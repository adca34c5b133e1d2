// Longbox
// SPDX-License-Identifier: MIT

/// An inverted index, read in place.
///
/// Opening it reads only the header. Reads are bounds-checked: damaged or forged bytes give fewer or wrong
/// results, never a crash.
struct SearchIndex: Sendable {
  /// The bytes that contain the index.
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
}

/// The location of a term's postings, and its number of documents.
struct TermPostings: Sendable {
  var range: Range<Int>
  var documents: Int
}
