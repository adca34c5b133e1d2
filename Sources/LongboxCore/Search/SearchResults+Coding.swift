// Longbox
// SPDX-License-Identifier: MIT

/// In bytes: varint total; u8 1 and a corrected query, or u8 0; varint number of hits, and of each: varint comic, u8 field,
/// u8 1 cut before, 2 cut after, 4 times the snippet's field; the snippet; the title's marks, the snippet's marks. A text is a varint length and as many
/// bytes; marks are a varint number, and of each a varint start and a varint length. The score stays behind.
extension SearchResults {
  /// More hits than anybody asks for; who decodes need not take more.
  static var most: Int { 1 << 20 }

  /// The results in bytes.
  public func encoded() -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendCount(total)
    bytes.appendFlag(didYouMean != nil)
    if let didYouMean { bytes.appendBlock(didYouMean.bytes) }
    bytes.appendCount(hits.count)
    for hit in hits {
      bytes.appendCount(hit.number.value)
      bytes.append(hit.field.rawValue)
      bytes.append((hit.isCutBefore ? 1 : 0) | (hit.isCutAfter ? 2 : 0) | hit.snippetField.rawValue << 2)
      bytes.appendBlock(hit.snippet.bytes)
      bytes.append(marks: hit.titleMarks)
      bytes.append(marks: hit.marks)
    }
    return bytes
  }

  /// Reads results; nothing where the bytes are none.
  public init?(decoding bytes: [UInt8]) {
    var reader = ByteReader(bytes[...])
    do throws(LibraryError) {
      self.init(total: try reader.count(atMost: Self.most))
      if try reader.flag() { didYouMean = Text(try reader.block()) }
      for _ in 0..<(try reader.count(atMost: Self.most)) {
        let number = Comic.Number(try reader.count(atMost: Self.most))
        let field = SearchHit.Field(rawValue: try reader.byte())
        let flags = try reader.byte()
        let snippet = Text(try reader.block())
        let titleMarks = try reader.marks()
        let marks = try reader.marks()
        guard let number, let field, let snippetField = SearchHit.Field(rawValue: flags >> 2) else {
          return nil
        }
        hits.append(
          SearchHit(
            number: number,
            score: 0,
            field: field,
            titleMarks: titleMarks,
            snippet: snippet,
            snippetField: snippetField,
            marks: marks,
            isCutBefore: flags & 1 != 0,
            isCutAfter: flags & 2 != 0
          )
        )
      }
      guard reader.isAtEnd else { return nil }
    } catch {
      return nil
    }
  }
}

extension ByteReader {
  fileprivate mutating func marks() throws(LibraryError) -> [Range<Int>] {
    var marks: [Range<Int>] = []
    for _ in 0..<(try count(atMost: 1 << 10)) {
      let start = try count(atMost: SearchResults.most)
      marks.append(start..<start + (try count(atMost: SearchResults.most)))
    }
    return marks
  }
}

extension [UInt8] {
  fileprivate mutating func append(marks: [Range<Int>]) {
    appendCount(marks.count)
    for mark in marks {
      appendCount(mark.lowerBound)
      appendCount(mark.count)
    }
  }
}
