// Longbox
// SPDX-License-Identifier: MIT

/// The index of explanations, which search looks into beside an archive: a whole segment with deltas laid over it.
///
/// The segments hold no comics, only an index each. It stands apart from the archive, since it is as large again, and
/// who does not have it searches all the same. Its revisions count changes of explanations; the archive's say nothing
/// of them, and the two need not be of one moment: any index gives right answers for what it holds.
public struct ExplanationIndex: Sendable {
  /// The segments: the whole one first, then each delta after what it builds on.
  public let segments: [Segment]

  /// Makes an index of one whole segment.
  /// - Throws: `ArchiveError.wrongBase` where the segment is a delta.
  public init(_ whole: Segment) throws(ArchiveError) {
    guard whole.base == 0 else { throw .wrongBase(expected: 0, found: whole.base) }
    segments = [whole]
  }

  private init(segments: [Segment]) {
    self.segments = segments
  }

  /// The index without an explanation, at revision 0.
  /// - Throws: nothing that a caller could cause; `ArchiveError` is passed on for the compiler's sake.
  public static func empty(isSampleBox: Bool = false) throws(ArchiveError) -> ExplanationIndex {
    try ExplanationIndex(Segment(SegmentWriter().finish(.init(revision: 0, isSampleBox: isSampleBox))))
  }

  /// The index with a delta laid over it.
  /// - Throws: `ArchiveError.wrongBase` where the delta builds on another revision than ``revision``.
  public func adding(_ delta: Segment) throws(ArchiveError) -> ExplanationIndex {
    guard delta.base == revision else { throw .wrongBase(expected: revision, found: delta.base) }
    return ExplanationIndex(segments: segments + [delta])
  }

  /// The revision that the index is at.
  public var revision: Int { segments[segments.count - 1].revision }

  /// The version of the decoding rules of its oldest segment.
  public var rules: Int { segments.reduce(segments[0].rules) { min($0, $1.rules) } }

  /// Whether it is of the project's own samples and not of xkcd's comics.
  public var isSampleBox: Bool { segments[0].isSampleBox }

  /// The number of explanations.
  public var count: Int { ExplanationOwners(indexes).numbers.count }

  /// The index as one whole segment, the same as if its explanations had been indexed at once.
  /// - Throws: `ArchiveError` where all together are beyond what the format holds.
  public func compacted() throws(ArchiveError) -> ExplanationIndex {
    guard segments.count > 1 else { return self }
    var writer = SegmentWriter()
    writer.explanationIndex = SearchIndexMerger.merged(indexes)
    return try ExplanationIndex(Segment(writer.finish(.init(revision: revision, isSampleBox: isSampleBox))))
  }

  private var indexes: [SearchIndex] {
    segments.compactMap { segment in
      segment.explanationIndex.flatMap { SearchIndex(segment.bytes, at: $0) }
    }.filter { $0.fieldCount == 1 }
  }
}
