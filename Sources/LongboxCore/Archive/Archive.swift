// Longbox
// SPDX-License-Identifier: MIT

/// The text of all comics: a full segment with deltas on top.
///
/// If several segments hold a comic, the newest wins.
public struct Archive: Sendable {
  /// The location of a comic that a delta holds.
  struct Overlay: Sendable {
    var number: Int
    var segment: Int
    var row: Int
  }

  /// The segments: the full one first, then the deltas in order.
  public let segments: [Segment]
  public let count: Int
  /// The comics in the deltas, ordered by number, each number once.
  private let overlays: [Overlay]
  let topicTable: TopicTable

  /// Creates an archive from a full segment.
  /// - Throws: `ArchiveError.wrongBase` if the segment is a delta.
  public init(_ whole: Segment) throws(ArchiveError) {
    guard whole.base == 0 else { throw .wrongBase(expected: 0, found: whole.base) }
    var topics = TopicTable()
    topics.add(whole) { _ in nil }
    self.init(segments: [whole], count: whole.count, overlays: [], topicTable: topics)
  }

  private init(segments: [Segment], count: Int, overlays: [Overlay], topicTable: TopicTable) {
    self.segments = segments
    self.count = count
    self.overlays = overlays
    self.topicTable = topicTable
  }

  /// An archive without comics, at revision 0.
  public static func empty() throws(ArchiveError) -> Archive {
    try Archive(Segment(SegmentWriter().finish(.init(revision: 0))))
  }

  /// Returns the archive with a delta added.
  /// - Throws: `ArchiveError.wrongBase` if the delta doesn't build on ``revision``.
  public func adding(_ delta: Segment) throws(ArchiveError) -> Archive {
    guard delta.base == revision else { throw .wrongBase(expected: revision, found: delta.base) }
    var merged: [Overlay] = []
    merged.reserveCapacity(overlays.count + delta.count)
    var count = count
    var kept = overlays[...]
    for row in 0..<delta.count {
      let number = delta[row: row].rawNumber
      while let first = kept.first, first.number < number {
        merged.append(first)
        kept.removeFirst()
      }
      if let first = kept.first, first.number == number {
        kept.removeFirst()
      } else if segments[0].row(ofNumber: number) == nil {
        count += 1
      }
      merged.append(Overlay(number: number, segment: segments.count, row: row))
    }
    merged.append(contentsOf: kept)
    var topics = topicTable
    topics.add(delta) { number in overlay(of: number).map { (comic($0), $0.segment) } }
    return Archive(segments: segments + [delta], count: count, overlays: merged, topicTable: topics)
  }

  public var revision: Int { segments[segments.count - 1].revision }

  /// The oldest version of the decoding rules among its segments.
  public var rules: Int {
    var oldest = segments[0].rules
    for segment in segments where segment.rules < oldest {
      oldest = segment.rules
    }
    return oldest
  }

  /// Whether it holds the project's own samples instead of xkcd's comics.
  public var isSampleBox: Bool { segments[0].isSampleBox }

  /// The comic with a number, or nil.
  public func comic(_ number: Comic.Number) -> ArchivedComic? {
    overlay(of: number.value).map { comic($0) }
  }

  /// The place of a comic's newest record, or nil.
  func overlay(of number: Int) -> Overlay? {
    let index = overlayIndex(atLeast: number)
    if index < overlays.count, overlays[index].number == number { return overlays[index] }
    return segments[0].row(ofNumber: number).map { Overlay(number: number, segment: 0, row: $0) }
  }

  /// The newest comic, or nil in an empty archive.
  public var latest: ArchivedComic? {
    let whole = segments[0]
    let last = whole.count > 0 ? whole[row: whole.count - 1] : nil
    guard let overlay = overlays.last, overlay.number >= last?.rawNumber ?? 0 else { return last }
    return comic(overlay)
  }

  /// Calls a closure with each comic, in order of the numbers.
  /// - Parameters:
  ///   - start: the lowest number to visit.
  ///   - body: returns whether to continue.
  public func visit(from start: Comic.Number = .first, _ body: (ArchivedComic) -> Bool) {
    visitWithSegments(from: start) { comic, _ in body(comic) }
  }

  /// Does the same, and passes the segment that holds the comic.
  @inline(__always)
  func visitWithSegments(from start: Comic.Number = .first, _ body: (ArchivedComic, Int) -> Bool) {
    let whole = segments[0]
    var row = whole.rowOfFirst(atLeast: start.value)
    var index = overlayIndex(atLeast: start.value)
    while row < whole.count || index < overlays.count {
      let next: ArchivedComic
      var segment = 0
      if index < overlays.count, row >= whole.count || overlays[index].number <= whole[row: row].rawNumber {
        if row < whole.count, overlays[index].number == whole[row: row].rawNumber { row += 1 }
        next = comic(overlays[index])
        segment = overlays[index].segment
        index += 1
      } else {
        next = whole[row: row]
        row += 1
      }
      guard body(next, segment) else { return }
    }
  }

  /// Returns the archive as one full segment with one search index, which makes lookups faster.
  /// - Throws: `ArchiveError` if the comics exceed the limits of the format.
  public func compacted() throws(ArchiveError) -> Archive {
    guard segments.count > 1 else { return self }
    var writer = SegmentWriter()
    var comics: [Comic] = []
    comics.reserveCapacity(count)
    var failure: ArchiveError?
    visit { archived in
      guard let comic = archived.comic else { return true }
      do throws(ArchiveError) {
        try writer.append(comic)
        comics.append(comic)
        return true
      } catch {
        failure = error
        return false
      }
    }
    if let failure { throw failure }
    writer.searchIndex = SearchIndexWriter.index(of: comics)
    return try Archive(
      Segment(writer.finish(.init(revision: revision, isSampleBox: isSampleBox, rules: rules)))
    )
  }

  func comic(_ overlay: Overlay) -> ArchivedComic {
    segments[overlay.segment][row: overlay.row]
  }

  private func overlayIndex(atLeast value: Int) -> Int {
    overlays.indices.partitioningIndex { overlays[$0].number >= value }
  }
}

/// An error in reading or writing an archive.
public enum ArchiveError: Error, Hashable, Sendable {
  /// The bytes don't begin with the archive's magic number.
  case foreign
  /// This version doesn't read the archive's format version.
  case unsupportedVersion(Int)
  /// The number of bytes differs from the length in the header.
  case wrongLength(expected: Int, found: Int)
  /// The checksum doesn't match.
  case damaged
  /// The checksum matches, but a table points outside the file or its rows are out of order.
  case malformed
  /// The delta builds on a revision other than the archive's.
  case wrongBase(expected: Int, found: Int)
  /// A comic exceeds the limits of the format.
  case tooLarge(comic: Int)
  /// Records to write are out of order or share a number.
  case unordered(comic: Int)
}

#if !hasFeature(Embedded)
extension ArchiveError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .foreign: "This is not a Longbox archive."
    case .unsupportedVersion(let version):
      "This archive has format version \(version), which this version of Longbox does not read."
    case .wrongLength(let expected, let found):
      "The archive is cut or padded: it should have \(expected) bytes and has \(found)."
    case .damaged: "The archive is damaged: its checksum does not fit its bytes."
    case .malformed: "The archive is malformed: a table in it points outside the file or is out of order."
    case .wrongBase(let expected, let found):
      "The delta builds on revision \(found), but the archive is at revision \(expected)."
    case .tooLarge(let comic): "Comic \(comic) has more text than an archive can hold."
    case .unordered(let comic): "Comic \(comic) was given twice or out of order."
    }
  }
}
#endif
