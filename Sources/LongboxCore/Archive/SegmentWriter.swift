// Longbox
// SPDX-License-Identifier: MIT

/// Writes comics into the bytes of a segment.
public struct SegmentWriter {
  /// The values of the header.
  public struct Heading: Sendable {
    /// The revision after the segment is applied.
    public var revision: Int
    /// The revision that the segment builds on; 0 for a full archive.
    public var base: Int
    /// Whether the comics are the project's own samples.
    public var isSampleBox: Bool
    /// The version of the decoding rules that the text went through.
    public var rules: Int

    /// Creates a heading, by default of a full archive whose text was decoded by this version.
    public init(
      revision: Int,
      base: Int = 0,
      isSampleBox: Bool = false,
      rules: Int = DecodingRules.version
    ) {
      self.revision = revision
      self.base = base
      self.isSampleBox = isSampleBox
      self.rules = rules
    }
  }

  /// The index of the comics' texts, if the segment is searchable: ``SearchIndexWriter/index(of:)``.
  public var searchIndex: [UInt8] = []
  /// The index of explanations: ``SearchIndexWriter/index(ofExplanations:)``.
  public var explanationIndex: [UInt8] = []

  private var records: [UInt8] = []
  private var strings: [UInt8] = []
  private var topics = TopicSectionWriter()
  private var count = 0
  private var last = 0

  public init() {}

  /// Adds a comic; comics must be added in order of their numbers.
  /// - Throws: `ArchiveError.unordered` or `ArchiveError.tooLarge`; the writer is then unchanged.
  public mutating func append(_ comic: Comic) throws(ArchiveError) {
    let number = comic.number.value
    guard number > last else { throw .unordered(comic: number) }
    let texts = [comic.title, comic.alt, comic.pictureAddress, comic.link, comic.news.stored]
    var size = comic.transcript.count
    for text in texts {
      guard text.count <= Int(UInt16.max) else { throw .tooLarge(comic: number) }
      size += text.count
    }
    guard
      let textOffset = UInt32(exactly: strings.count),
      let transcriptLength = UInt32(exactly: comic.transcript.count),
      Int32(exactly: strings.count + size) != nil
    else { throw .tooLarge(comic: number) }

    var record: [UInt8] = []
    record.reserveCapacity(SegmentLayout.recordLength)
    record.append32(UInt32(truncatingIfNeeded: number))
    record.append16(UInt16(comic.date.year))
    record.append(UInt8(comic.date.month))
    record.append(UInt8(comic.date.day))
    try Self.appendPicture(of: comic, to: &record)
    record.append32(textOffset)
    record.append32(transcriptLength)
    for text in texts {
      record.append16(UInt16(text.count))
    }
    record.append16(0)
    record.append32(comic.picture?.version ?? 0)
    record.append32(topics.append(comic.topics))

    records.append(contentsOf: record)
    for text in texts {
      strings.append(contentsOf: text.bytes)
    }
    strings.append(contentsOf: comic.transcript.bytes)
    count += 1
    last = number
  }

  /// Returns the finished bytes for ``Segment/init(_:)``.
  /// - Throws: `ArchiveError.tooLarge` if the file would exceed 2 GiB.
  public func finish(_ heading: Heading) throws(ArchiveError) -> [UInt8] {
    var sections: [(kind: UInt32, bytes: [UInt8])] = [
      (SegmentLayout.SectionKind.records, records), (SegmentLayout.SectionKind.strings, strings),
    ]
    if !searchIndex.isEmpty { sections.append((SegmentLayout.SectionKind.searchIndex, searchIndex)) }
    if !explanationIndex.isEmpty {
      sections.append((SegmentLayout.SectionKind.explanationIndex, explanationIndex))
    }
    if !topics.isEmpty { sections.append((SegmentLayout.SectionKind.topics, topics.bytes)) }
    var length = SegmentLayout.headerLength + sections.count * SegmentLayout.sectionLength
    var offset = length
    for section in sections { length += section.bytes.count }
    guard
      let total = Int32(exactly: length),
      let revision = UInt32(exactly: heading.revision),
      let base = UInt32(exactly: heading.base),
      let rules = UInt32(exactly: heading.rules)
    else { throw .tooLarge(comic: last) }
    var bytes = SegmentLayout.magic
    bytes.reserveCapacity(length)
    bytes.append16(SegmentLayout.version)
    bytes.append16(UInt16(sections.count))
    bytes.append32(UInt32(total))
    bytes.append64(0)
    bytes.append32(revision)
    bytes.append32(base)
    bytes.append32(rules)
    bytes.append32(UInt32(truncatingIfNeeded: count))
    bytes.append32(heading.isSampleBox ? SegmentLayout.sampleFlag : 0)
    bytes.append(contentsOf: repeatElement(0, count: SegmentLayout.headerLength - bytes.count))
    for section in sections {
      bytes.append32(section.kind)
      bytes.append32(UInt32(truncatingIfNeeded: offset))
      bytes.append32(UInt32(truncatingIfNeeded: section.bytes.count))
      offset += section.bytes.count
    }
    for section in sections { bytes.append(contentsOf: section.bytes) }
    bytes.overwrite64(Self.checksum(of: bytes), at: SegmentLayout.Header.checksum)
    return bytes
  }

  private static func checksum(of bytes: [UInt8]) -> UInt64 {
    XXH64.hash(bytes.span.bytes.extracting(SegmentLayout.Header.checked..<bytes.count))
  }

  private static func appendPicture(of comic: Comic, to record: inout [UInt8]) throws(ArchiveError) {
    var flags: UInt32 = comic.isInteractive ? SegmentLayout.RecordFlag.interactive : 0
    guard let picture = comic.picture else {
      record.append32(flags)
      record.append(contentsOf: repeatElement(0, count: 16))
      return
    }
    flags |= SegmentLayout.RecordFlag.pictureKnown
    if picture.isTransparent { flags |= SegmentLayout.RecordFlag.transparent }
    guard
      let width = UInt16(exactly: picture.width),
      let height = UInt16(exactly: picture.height),
      let byteCount = UInt32(exactly: picture.byteCount)
    else { throw .tooLarge(comic: comic.number.value) }
    record.append32(flags)
    record.append16(width)
    record.append16(height)
    record.append16(UInt16(clamping: picture.frames))
    record.append16(UInt16(clamping: picture.colourPermille))
    record.append(UInt8(clamping: picture.lightness))
    record.append(picture.format.rawValue)
    record.append(picture.doubleSize.rawValue)
    record.append(picture.larger.rawValue)
    record.append32(byteCount)
  }
}
