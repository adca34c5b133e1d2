// Longbox
// SPDX-License-Identifier: MIT

@testable import LongboxCore

/// Segments with a valid length and checksum, but otherwise any content.
enum ArchiveTarget {
  static func run(_ input: [UInt8]) throws(Finding) {
    _ = try? Segment(input)
    guard let segment = try? Segment(sealed(input)) else { return }
    if let index = try? ExplanationIndex(segment), let archive = SampleComics.archive {
      search(archive, index)
    }
    if let added = try? SampleComics.archive?.adding(segment) { try read(added) }
    guard let archive = try? Archive(segment) else { return }
    try read(archive)
  }

  /// The input with the magic number, version, length and checksum that it needs to be opened.
  static func sealed(_ input: [UInt8]) -> [UInt8] {
    guard input.count >= SegmentLayout.headerLength else { return input }
    var bytes = input
    bytes.replaceSubrange(0..<8, with: SegmentLayout.magic)
    bytes[SegmentLayout.Header.version] = UInt8(SegmentLayout.version)
    bytes[SegmentLayout.Header.version + 1] = 0
    var length: [UInt8] = []
    length.append32(UInt32(bytes.count))
    bytes.replaceSubrange(SegmentLayout.Header.length..<(SegmentLayout.Header.length + 4), with: length)
    let checked = XXH64.hash(bytes.span.bytes.extracting(SegmentLayout.Header.checked..<bytes.count))
    bytes.overwrite64(checked, at: SegmentLayout.Header.checksum)
    return bytes
  }

  private static func read(_ archive: Archive) throws(Finding) {
    var visited = 0
    archive.visit { comic in
      visited += 1
      _ = comic.comic
      _ = comic.news.runs
      _ = archive.comic(comic.number)
      return true
    }
    try Finding.check(visited == archive.count, "\(visited) comics of \(archive.count) were visited")
    _ = archive.latest?.comic
    search(archive, nil)
    if let compacted = try? archive.compacted() {
      try Finding.check(compacted.count <= archive.count, "compacting adds comics")
    }
  }

  private static func search(_ archive: Archive, _ explanations: ExplanationIndex?) {
    let search = Search(archive: archive, explanations: explanations)
    for query in ["ship", "cofee etude", "\"fast or right\" -spoon", "2010-05", "1-20", "e=mc2"] as [Text] {
      _ = search.results(for: query)
    }
  }
}
