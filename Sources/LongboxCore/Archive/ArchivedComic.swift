// Longbox
// SPDX-License-Identifier: MIT

/// A view of a comic in an archive, which decodes each field on access.
///
/// Each access to a text copies it.
public struct ArchivedComic: Sendable {
  private let bytes: [UInt8]
  private let record: Int
  private let strings: Range<Int>
  private let topicSection: TopicSection?

  init(bytes: [UInt8], record: Int, strings: Range<Int>, topicSection: TopicSection?) {
    self.bytes = bytes
    self.record = record
    self.strings = strings
    self.topicSection = topicSection
  }

  public var number: Comic.Number { Comic.Number(rawNumber) ?? .first }

  var rawNumber: Int { Int(truncatingIfNeeded: word32(SegmentLayout.Record.number)) }

  /// The date of publication, or nil if the stored date is invalid.
  public var date: CalendarDate? {
    CalendarDate(
      year: Int(word16(SegmentLayout.Record.year)),
      month: Int(byte(SegmentLayout.Record.month)),
      day: Int(byte(SegmentLayout.Record.day))
    )
  }

  /// Whether the comic is interactive on xkcd.com.
  public var isInteractive: Bool {
    word32(SegmentLayout.Record.flags) & SegmentLayout.RecordFlag.interactive != 0
  }

  /// The title as plain text.
  public var title: Text { text(after: 0, length: titleLength) }

  /// The alt text as plain text.
  public var alt: Text { text(after: titleLength, length: altLength) }

  /// The address of the 1x picture as in the source, or empty.
  public var pictureAddress: Text { text(after: titleLength + altLength, length: addressLength) }

  /// The http or https address that the picture links to, or empty.
  public var link: Text { text(after: titleLength + altLength + addressLength, length: linkLength) }

  /// The author's remarks next to the comic.
  public var news: News {
    News(stored: text(after: titleLength + altLength + addressLength + linkLength, length: newsLength))
  }

  /// The transcript, or empty.
  public var transcript: Text {
    text(
      after: titleLength + altLength + addressLength + linkLength + newsLength,
      length: Int(truncatingIfNeeded: word32(SegmentLayout.Record.transcriptLength))
    )
  }

  /// The facts about the picture, or nil until it has been fetched.
  public var picture: PictureFacts? {
    let flags = word32(SegmentLayout.Record.flags)
    guard
      flags & SegmentLayout.RecordFlag.pictureKnown != 0,
      let format = PictureFacts.Format(rawValue: byte(SegmentLayout.Record.format))
    else { return nil }
    return PictureFacts(
      width: Int(word16(SegmentLayout.Record.width)),
      height: Int(word16(SegmentLayout.Record.height)),
      byteCount: Int(truncatingIfNeeded: word32(SegmentLayout.Record.pictureLength)),
      frames: Int(word16(SegmentLayout.Record.frames)),
      format: format,
      isTransparent: flags & SegmentLayout.RecordFlag.transparent != 0,
      colourPermille: Int(word16(SegmentLayout.Record.colour)),
      lightness: Int(byte(SegmentLayout.Record.lightness)),
      doubleSize: PictureFacts.DoubleSize(rawValue: byte(SegmentLayout.Record.doubleSize)) ?? .unknown,
      larger: PictureFacts.Larger(rawValue: byte(SegmentLayout.Record.larger)) ?? .unknown,
      version: word32(SegmentLayout.Record.pictureVersion)
    )
  }

  /// Who and what the comic is about.
  public var topics: [Topic] {
    var topics: [Topic] = []
    visitTopics { number in
      if let topic = topicSection?.topic(number, in: bytes) { topics.append(topic) }
    }
    return topics
  }

  /// Calls a closure with the numbers of its topics in its segment, each below ``TopicSection/count``.
  @inline(__always)
  func visitTopics(_ body: (Int) -> Void) {
    topicSection?.visit(
      listAt: Int(truncatingIfNeeded: word32(SegmentLayout.Record.topics)),
      in: bytes,
      body
    )
  }

  /// The comic as a ``Comic``; nil if its date is invalid.
  public var comic: Comic? {
    guard let date else { return nil }
    return Comic(
      number: number,
      date: date,
      title: title,
      alt: alt,
      transcript: transcript,
      pictureAddress: pictureAddress,
      link: link,
      news: news,
      isInteractive: isInteractive,
      picture: picture,
      topics: topics
    )
  }

  private var titleLength: Int { Int(word16(SegmentLayout.Record.titleLength)) }
  private var altLength: Int { Int(word16(SegmentLayout.Record.altLength)) }
  private var addressLength: Int { Int(word16(SegmentLayout.Record.addressLength)) }
  private var linkLength: Int { Int(word16(SegmentLayout.Record.linkLength)) }
  private var newsLength: Int { Int(word16(SegmentLayout.Record.newsLength)) }

  /// A text of the record; empty if the record points outside the strings.
  private func text(after skipped: Int, length: Int) -> Text {
    let offset = Int(truncatingIfNeeded: word32(SegmentLayout.Record.textOffset))
    let room = strings.count
    guard
      offset >= 0, offset <= room, skipped <= room - offset, length >= 0, length <= room - offset - skipped
    else { return .empty }
    let start = strings.lowerBound + offset + skipped
    return Text(bytes[start..<(start + length)])
  }

  private func byte(_ field: Int) -> UInt8 { bytes.span.bytes.byte(at: record + field) }
  private func word16(_ field: Int) -> UInt16 { bytes.span.bytes.word16(at: record + field) }
  private func word32(_ field: Int) -> UInt32 { bytes.span.bytes.word32(at: record + field) }
}
