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
