// Longbox
// SPDX-License-Identifier: MIT

/// All comics' text: a whole segment with deltas laid over it.
///
/// Of a comic that several hold, the newest is right.
public struct Archive: Sendable {
  /// Where a comic stands that a delta brought.
  private struct Overlay: Sendable {
    var number: Int
    var segment: Int
    var row: Int
  }

  /// The segments: the whole one first, then each delta after what it builds on.
  public let segments: [Segment]
  /// The number of comics.
  public let count: Int
  /// What the deltas hold, ordered by number, each number once.
  private let overlays: [Overlay]

  /// Makes an archive of one whole segment.
  /// - Throws: `ArchiveError.wrongBase` where the segment is a delta.
  public init(_ whole: Segment) throws(ArchiveError) {
    guard whole.base == 0 else { throw .wrongBase(expected: 0, found: whole.base) }
    self.init(segments: [whole], count: whole.count, overlays: [])
  }

  private init(segments: [Segment], count: Int, overlays: [Overlay]) {
    self.segments = segments
    self.count = count
    self.overlays = overlays
  }

  /// The archive without a comic, at revision 0.
  /// - Throws: nothing that a caller could cause; `ArchiveError` is passed on for the compiler's sake.
  public static func empty() throws(ArchiveError) -> Archive {
    try Archive(Segment(SegmentWriter().finish(.init(revision: 0))))
  }

  /// The archive with a delta laid over it.
  /// - Throws: `ArchiveError.wrongBase` where the delta builds on another revision than ``revision``.
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
    return Archive(segments: segments + [delta], count: count, overlays: merged)
  }

  /// The revision that the archive is at.
  public var revision: Int { segments[segments.count - 1].revision }

  /// The version of the decoding rules of its oldest text.
  public var rules: Int {
    var oldest = segments[0].rules
    for segment in segments where segment.rules < oldest {
      oldest = segment.rules
    }
    return oldest
  }

  /// Whether it holds the project's own samples and not xkcd's comics.
  public var isSampleBox: Bool { segments[0].isSampleBox }

  /// The comic with a number, or nothing where the archive lacks it.
  public func comic(_ number: Comic.Number) -> ArchivedComic? {
    let place = overlayIndex(atLeast: number.value)
    if place < overlays.count, overlays[place].number == number.value { return comic(overlays[place]) }
    let whole = segments[0]
    return whole.row(of: number).map { whole[row: $0] }
  }

  /// The newest comic, or nothing in an empty archive.
  public var latest: ArchivedComic? {
    let whole = segments[0]
    let last = whole.count > 0 ? whole[row: whole.count - 1] : nil
    guard let overlay = overlays.last, overlay.number >= last?.rawNumber ?? 0 else { return last }
    return comic(overlay)
  }

  /// Calls a closure with each comic from a number on, in the order of the numbers.
  /// - Parameters:
  ///   - start: the lowest number that is asked for.
  ///   - body: returns whether to go on.
  public func visit(from start: Comic.Number = .first, _ body: (ArchivedComic) -> Bool) {
    let whole = segments[0]
    var row = whole.rowOfFirst(atLeast: start.value)
    var place = overlayIndex(atLeast: start.value)
    while row < whole.count || place < overlays.count {
      let next: ArchivedComic
      if place < overlays.count, row >= whole.count || overlays[place].number <= whole[row: row].rawNumber {
        if row < whole.count, overlays[place].number == whole[row: row].rawNumber { row += 1 }
        next = comic(overlays[place])
        place += 1
      } else {
        next = whole[row: row]
        row += 1
      }
      guard body(next) else { return }
    }
  }

  /// The archive as one whole segment with one search index, so that look-ups are short again.
  /// - Throws: `ArchiveError` where the comics together are beyond what the format holds.
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
    return try Archive(Segment(writer.finish(.init(revision: revision, isSampleBox: isSampleBox))))
  }

  private func comic(_ overlay: Overlay) -> ArchivedComic {
    segments[overlay.segment][row: overlay.row]
  }

  /// The place of the first overlay whose number is not below a value.
  private func overlayIndex(atLeast value: Int) -> Int {
    var low = 0
    var high = overlays.count
    while low < high {
      let middle = low + (high - low) / 2
      if overlays[middle].number < value {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }
}
