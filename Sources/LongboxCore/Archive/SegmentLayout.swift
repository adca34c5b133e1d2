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
