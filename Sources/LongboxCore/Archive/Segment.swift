// Longbox
// SPDX-License-Identifier: MIT

/// One immutable file of comics' text, read in place: opening it parses nothing and allocates nothing per comic.
///
/// Opening checks the magic, the version, the length, the checksum and that both tables lie inside the file. A
/// record's own fields are checked where they are read, so that even bytes forged with a right checksum can't make
/// a reader crash: what points outside reads as empty.
public struct Segment: Sendable {
  /// The whole file.
  public let bytes: [UInt8]
  /// The revision that the segment brings its reader up to.
  public let revision: Int
  /// The revision that it builds on: 0 for a whole archive.
  public let base: Int
  /// The version of the decoding rules that its text went through.
  public let rules: Int
  /// Whether it holds the project's own samples and not xkcd's comics.
  public let isSampleBox: Bool
  /// The number of comics.
  public let count: Int

  /// Where the index of its comics' texts stands in the bytes, if it has one.
  let searchIndex: Range<Int>?
  /// Where the index of explanations stands in the bytes, if it has one.
  let explanationIndex: Range<Int>?

  private let recordsOffset: Int
  private let stringsOffset: Int
  private let stringsEnd: Int

  /// Opens a segment.
  /// - Parameter bytes: the whole file.
  /// - Throws: `ArchiveError` where the bytes are foreign, cut, damaged, malformed or of another version.
  public init(_ bytes: [UInt8]) throws(ArchiveError) {
    let span = bytes.span.bytes
    guard span.byteCount >= SegmentLayout.headerLength else { throw .foreign }
    for (offset, byte) in SegmentLayout.magic.enumerated() where span.byte(at: offset) != byte {
      throw .foreign
    }
    let version = span.word16(at: SegmentLayout.Header.version)
    guard version == SegmentLayout.version else { throw .unsupportedVersion(Int(version)) }
    guard let length = span.count32(at: SegmentLayout.Header.length) else { throw .malformed }
    guard length == span.byteCount else { throw .wrongLength(expected: length, found: span.byteCount) }
    let checked = span.extracting(SegmentLayout.Header.checked..<span.byteCount)
    guard XXH64.hash(checked) == span.word64(at: SegmentLayout.Header.checksum) else { throw .damaged }

    let sections = try SectionTable(span)
    guard
      let revision = span.count32(at: SegmentLayout.Header.revision),
      let base = span.count32(at: SegmentLayout.Header.base),
      let rules = span.count32(at: SegmentLayout.Header.rules),
      let count = span.count32(at: SegmentLayout.Header.recordCount),
      let records = sections.records,
      let strings = sections.strings,
      records.count % SegmentLayout.recordLength == 0,
      records.count / SegmentLayout.recordLength == count
    else { throw .malformed }
    var previous: UInt32 = 0
    for index in 0..<count {
      let offset = records.lowerBound + index * SegmentLayout.recordLength + SegmentLayout.Record.number
      let number = span.word32(at: offset)
      guard number > previous else { throw .malformed }
      previous = number
    }
    self.bytes = bytes
    self.revision = revision
    self.base = base
    self.rules = rules
    self.count = count
    self.isSampleBox = span.word32(at: SegmentLayout.Header.flags) & SegmentLayout.sampleFlag != 0
    self.searchIndex = sections.searchIndex
    self.explanationIndex = sections.explanationIndex
    self.recordsOffset = records.lowerBound
    self.stringsOffset = strings.lowerBound
    self.stringsEnd = strings.upperBound
  }

  /// The comic in a row of the table.
  /// - Parameter row: 0 for the lowest number; must be below ``count``.
  public subscript(row row: Int) -> ArchivedComic {
    precondition(row >= 0 && row < count, "no such row")
    return ArchivedComic(
      bytes: bytes,
      record: recordsOffset + row * SegmentLayout.recordLength,
      strings: stringsOffset..<stringsEnd
    )
  }

  /// The row of a comic, or nothing where the segment lacks it.
  public func row(of number: Comic.Number) -> Int? {
    row(ofNumber: number.value)
  }

  func row(ofNumber value: Int) -> Int? {
    let row = rowOfFirst(atLeast: value)
    return row < count && self[row: row].rawNumber == value ? row : nil
  }

  /// The first row whose comic's number is not below a value; ``count`` where there is none.
  func rowOfFirst(atLeast value: Int) -> Int {
    let span = bytes.span.bytes
    var low = 0
    var high = count
    while low < high {
      let middle = low + (high - low) / 2
      let offset = recordsOffset + middle * SegmentLayout.recordLength
      if Int(truncatingIfNeeded: span.word32(at: offset)) < value {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }
}

/// The places of the sections that this version knows.
private struct SectionTable {
  var records: Range<Int>?
  var strings: Range<Int>?
  var searchIndex: Range<Int>?
  var explanationIndex: Range<Int>?

  init(_ span: RawSpan) throws(ArchiveError) {
    let count = Int(span.word16(at: SegmentLayout.Header.sectionCount))
    let end = SegmentLayout.headerLength + count * SegmentLayout.sectionLength
    guard end <= span.byteCount else { throw .malformed }
    for index in 0..<count {
      let entry = SegmentLayout.headerLength + index * SegmentLayout.sectionLength
      guard
        let offset = span.count32(at: entry + 4),
        let length = span.count32(at: entry + 8),
        offset >= end, offset <= span.byteCount, length <= span.byteCount - offset
      else { throw .malformed }
      switch span.word32(at: entry) {
      case SegmentLayout.SectionKind.records: records = offset..<(offset + length)
      case SegmentLayout.SectionKind.strings: strings = offset..<(offset + length)
      case SegmentLayout.SectionKind.searchIndex: searchIndex = offset..<(offset + length)
      case SegmentLayout.SectionKind.explanationIndex: explanationIndex = offset..<(offset + length)
      default: continue
      }
    }
  }
}
