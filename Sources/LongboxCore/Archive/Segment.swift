// Longbox
// SPDX-License-Identifier: MIT

/// The byte layout of a segment.
///
/// All numbers are little-endian.
///
///     header    64 bytes
///        0  magic      89 4C 42 58 0D 0A 1A 0A  (detects transfers in text mode, as in PNG)
///        8  u16 format version     10  u16 number of sections
///       12  u32 length of the segment in bytes
///       16  u64 XXH64 of everything from offset 24 on
///       24  u32 revision after the segment is applied
///       28  u32 base: the revision that it builds on; 0 for a full archive
///       32  u32 rules: the version of the decoding rules its text went through
///       36  u32 number of records
///       40  u32 flags, bit 0: a sample box
///       44  20 bytes reserved, zero
///     sections  12 bytes each: u32 kind, u32 offset, u32 length; readers skip unknown kinds
///     records   56 bytes each, ordered by number
///     strings   UTF-8, each record's texts one after another
///     indexes   optional, see ``SearchIndexLayout``
///     topics    optional, see ``TopicSection``
///
/// A record:
///
///        0  u32 number             4  u16 year, u8 month, u8 day
///        8  u32 flags: bit 0 interactive, bit 1 picture facts known, bit 2 transparent
///       12  u16 width             14  u16 height
///       16  u16 frames            18  u16 coloured pixels in thousandths
///       20  u8  lightness, u8 format, u8 double size, u8 larger version
///       24  u32 picture's size in bytes
///       28  u32 offset of the record's texts in the strings section
///       32  u32 length of the transcript
///       36  u16 lengths of title, alt, picture address, link, news; 46  u16 zero
///       48  u32 version of the picture's content
///       52  u32 offset of the record's list in the topics section; 0 if it has no topics
enum SegmentLayout {
  static let magic: [UInt8] = [0x89, 0x4C, 0x42, 0x58, 0x0D, 0x0A, 0x1A, 0x0A]
  static let version: UInt16 = 1
  static let headerLength = 64
  static let sectionLength = 12
  static let recordLength = 56

  enum Header {
    static let version = 8
    static let sectionCount = 10
    static let length = 12
    static let checksum = 16
    static let checked = 24
    static let revision = 24
    static let base = 28
    static let rules = 32
    static let recordCount = 36
    static let flags = 40
  }

  enum SectionKind {
    static let records: UInt32 = 1
    static let strings: UInt32 = 2
    /// The inverted index of titles, alt texts and transcripts (``SearchIndexLayout``).
    static let searchIndex: UInt32 = 3
    /// The inverted index of explanations, whose texts are not in the archive.
    static let explanationIndex: UInt32 = 4
    /// The names of topics, and the topics of each record.
    static let topics: UInt32 = 5
  }

  enum Record {
    static let number = 0
    static let year = 4
    static let month = 6
    static let day = 7
    static let flags = 8
    static let width = 12
    static let height = 14
    static let frames = 16
    static let colour = 18
    static let lightness = 20
    static let format = 21
    static let doubleSize = 22
    static let larger = 23
    static let pictureLength = 24
    static let textOffset = 28
    static let transcriptLength = 32
    static let titleLength = 36
    static let altLength = 38
    static let addressLength = 40
    static let linkLength = 42
    static let newsLength = 44
    static let pictureVersion = 48
    static let topics = 52
  }

  enum RecordFlag {
    static let interactive: UInt32 = 1
    static let pictureKnown: UInt32 = 2
    static let transparent: UInt32 = 4
  }

  static let sampleFlag: UInt32 = 1
}

/// An immutable file of comics' texts, read in place: opening it parses and allocates nothing per comic.
///
/// Opening checks the magic number, version, length, checksum and numbers, and that both tables lie inside the file.
/// Fields of a record are checked on access: an offset outside the file reads as empty, so that even forged
/// bytes can't cause a crash.
public struct Segment: Sendable {
  /// The whole file.
  public let bytes: [UInt8]
  /// The revision after the segment is applied.
  public let revision: Int
  /// The revision that the segment builds on; 0 for a full archive.
  public let base: Int
  /// The version of the decoding rules that produced the text.
  public let rules: Int
  /// Whether it holds the project's own samples instead of xkcd's comics.
  public let isSampleBox: Bool
  public let count: Int

  /// The byte range of the text index, if any.
  let searchIndex: Range<Int>?
  /// The byte range of the explanation index, if any.
  let explanationIndex: Range<Int>?

  /// The names of topics and the records' lists of them, if any comic has topics.
  let topics: TopicSection?

  private let recordsOffset: Int
  private let stringsOffset: Int
  private let stringsEnd: Int

  /// Opens a segment.
  /// - Parameter bytes: the whole file.
  /// - Throws: `ArchiveError` if the bytes are not a valid segment of this version.
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
    // A search takes memory for each number up to the greatest one.
    let greatest = UInt32(Comic.Number.greatestValue)
    var previous: UInt32 = 0
    for index in 0..<count {
      let offset = records.lowerBound + index * SegmentLayout.recordLength + SegmentLayout.Record.number
      let number = span.word32(at: offset)
      guard number > previous, number <= greatest else { throw .malformed }
      previous = number
    }
    var topics: TopicSection?
    if let range = sections.topics {
      topics = TopicSection(bytes, at: range)
      guard topics != nil else { throw .malformed }
    }
    self.bytes = bytes
    self.revision = revision
    self.base = base
    self.rules = rules
    self.count = count
    self.isSampleBox = span.word32(at: SegmentLayout.Header.flags) & SegmentLayout.sampleFlag != 0
    self.searchIndex = sections.searchIndex
    self.explanationIndex = sections.explanationIndex
    self.topics = topics
    self.recordsOffset = records.lowerBound
    self.stringsOffset = strings.lowerBound
    self.stringsEnd = strings.upperBound
  }

  /// The comic in a row of the table.
  /// - Parameter row: from 0 for the lowest number; must be below ``count``.
  public subscript(row row: Int) -> ArchivedComic {
    precondition(row >= 0 && row < count, "no such row")
    return ArchivedComic(
      bytes: bytes,
      record: recordsOffset + row * SegmentLayout.recordLength,
      strings: stringsOffset..<stringsEnd,
      topicSection: topics
    )
  }

  /// The row of the comic with a number, or nil.
  func row(ofNumber value: Int) -> Int? {
    let row = rowOfFirst(atLeast: value)
    return row < count && self[row: row].rawNumber == value ? row : nil
  }

  /// The first row whose comic's number is at least a value; ``count`` if there is none.
  func rowOfFirst(atLeast value: Int) -> Int {
    let span = bytes.span.bytes
    return (0..<count).partitioningIndex { row in
      let offset = recordsOffset + row * SegmentLayout.recordLength
      return Int(truncatingIfNeeded: span.word32(at: offset)) >= value
    }
  }
}

/// The ranges of the sections that this version reads.
private struct SectionTable {
  var records: Range<Int>?
  var strings: Range<Int>?
  var searchIndex: Range<Int>?
  var explanationIndex: Range<Int>?
  var topics: Range<Int>?

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
      case SegmentLayout.SectionKind.topics: topics = offset..<(offset + length)
      default: continue
      }
    }
  }
}
