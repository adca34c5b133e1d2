// Longbox
// SPDX-License-Identifier: MIT

/// The search index of the explanations: a full segment with deltas on top.
///
/// The segments hold only an index each, no comics. It is separate from the archive because it doubles the
/// size, and search works without it. Its revisions are independent of the archive's: the two need not be of
/// the same time.
public struct ExplanationIndex: Sendable {
  /// The segments: the full one first, then the deltas in order.
  public let segments: [Segment]

  /// Creates an index from a full segment.
  /// - Throws: `ArchiveError.wrongBase` if the segment is a delta.
  public init(_ whole: Segment) throws(ArchiveError) {
    guard whole.base == 0 else { throw .wrongBase(expected: 0, found: whole.base) }
    segments = [whole]
  }

  private init(segments: [Segment]) {
    self.segments = segments
  }

  /// An index without explanations, at revision 0.
  public static func empty(isSampleBox: Bool = false) throws(ArchiveError) -> ExplanationIndex {
    try ExplanationIndex(Segment(SegmentWriter().finish(.init(revision: 0, isSampleBox: isSampleBox))))
  }

  /// Returns the index with a delta added.
  /// - Throws: `ArchiveError.wrongBase` if the delta doesn't build on ``revision``.
  public func adding(_ delta: Segment) throws(ArchiveError) -> ExplanationIndex {
    guard delta.base == revision else { throw .wrongBase(expected: revision, found: delta.base) }
    return ExplanationIndex(segments: segments + [delta])
  }

  /// The index's revision.
  public var revision: Int { segments[segments.count - 1].revision }

  /// The oldest version of the decoding rules among its segments.
  public var rules: Int { segments.reduce(segments[0].rules) { min($0, $1.rules) } }

  /// Whether it belongs to the project's own samples instead of xkcd's comics.
  public var isSampleBox: Bool { segments[0].isSampleBox }

  /// The number of explanations.
  public var count: Int { ExplanationOwners(indexes).numbers.count }

  /// Returns the index as one full segment, equal to one built from all explanations at once.
  /// - Throws: `ArchiveError` if the result exceeds the limits of the format.
  public func compacted() throws(ArchiveError) -> ExplanationIndex {
    guard segments.count > 1 else { return self }
    var writer = SegmentWriter()
    writer.explanationIndex = SearchIndexMerger.merged(indexes)
    return try ExplanationIndex(
      Segment(writer.finish(.init(revision: revision, isSampleBox: isSampleBox, rules: rules)))
    )
  }

  private var indexes: [SearchIndex] {
    segments.compactMap { segment in
      segment.explanationIndex.flatMap { SearchIndex(segment.bytes, at: $0) }
    }.filter { $0.fieldCount == 1 }
  }
}
