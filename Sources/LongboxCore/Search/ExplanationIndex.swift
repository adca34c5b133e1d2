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

  public var revision: Int { segments[segments.count - 1].revision }

  /// The oldest version of the decoding rules among its segments.
  public var rules: Int { segments.reduce(segments[0].rules) { min($0, $1.rules) } }

  /// Whether it belongs to the project's own samples instead of xkcd's comics.
  public var isSampleBox: Bool { segments[0].isSampleBox }

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

/// Merges several indexes of explanations into one, without their texts.
///
/// If several hold a comic, the newest wins. Postings are copied, so the result equals, byte for byte, an
/// index of all texts, except that empty texts are dropped.
private struct SearchIndexMerger {
  private struct Posting {
    var term: UInt32
    var number: UInt32
    var code: UInt8
  }

  private let owners: ExplanationOwners
  private var terms = TermTable()
  private var postings: [Posting] = []

  /// Merges indexes.
  /// - Parameter indexes: indexes of explanations, the newest last.
  static func merged(_ indexes: [SearchIndex]) -> [UInt8] {
    var merger = SearchIndexMerger(owners: ExplanationOwners(indexes))
    for (place, index) in indexes.enumerated() { merger.append(index, at: place) }
    return merger.finish()
  }

  private init(owners: ExplanationOwners) {
    self.owners = owners
  }

  private mutating func append(_ index: SearchIndex, at place: Int) {
    let span = index.bytes.span.bytes
    index.visit(prefix: [], limit: .max) { term in
      guard term.bytes.count <= Tokenizer.longestWord else { return .next }
      var isNew = true
      var number = 0
      var id: UInt32 = 0
      var offset = term.postings.range.lowerBound
      while let delta = span.varint(at: &offset, end: term.postings.range.upperBound) {
        number += delta >> 2
        guard owners.owner(of: number) == place else { continue }
        if isNew { id = UInt32(terms.insert(term.bytes)) }
        isNew = false
        postings.append(Posting(term: id, number: UInt32(number), code: UInt8(delta & 3)))
      }
      return .next
    }
  }

  private func finish() -> [UInt8] {
    // A counting sort by term; then each term's few runs, one from each index, by number.
    var starts = Array(repeating: 0, count: terms.count + 1)
    for posting in postings { starts[Int(posting.term) + 1] += 1 }
    for term in 0..<terms.count { starts[term + 1] += starts[term] }
    var next = starts
    var byTerm = postings
    for posting in postings {
      byTerm[next[Int(posting.term)]] = posting
      next[Int(posting.term)] += 1
    }
    var dictionary = TermDictionaryWriter()
    for term in (0..<terms.count).sorted(by: { terms[$0].lexicographicallyPrecedes(terms[$1]) }) {
      var bytes: [UInt8] = []
      var previous: UInt32 = 0
      let run = byTerm[starts[term]..<starts[term + 1]].sorted { $0.number < $1.number }
      for posting in run {
        bytes.appendVarint((posting.number - previous) << 2 | UInt32(posting.code))
        previous = posting.number
      }
      dictionary.append(terms[term], documents: run.count, postings: bytes)
    }
    return dictionary.finish(
      numbers: owners.numbers.map { UInt32($0) },
      lengths: owners.numbers.map { owners.length(of: $0) },
      fieldCount: 1
    )
  }
}

/// For each comic, the last of several indexes that has its explanation.
private struct ExplanationOwners {
  /// The comics with an explanation, in order; one whose newest text is empty has none.
  private(set) var numbers: [Int] = []
  /// By number, the index, counted from 1; 0 if there is none.
  private var owners: [UInt16] = []
  private var lengths: [UInt8] = []

  init(_ indexes: [SearchIndex]) {
    for (place, index) in indexes.enumerated() {
      for row in 0..<index.documentCount {
        let number = index.number(ofRow: row)
        if number >= owners.count {
          owners += Array(repeating: 0, count: number + 1 - owners.count)
          lengths += Array(repeating: 0, count: number + 1 - lengths.count)
        }
        owners[number] = UInt16(clamping: place + 1)
        lengths[number] = index.length(ofRow: row, field: 0)
      }
    }
    numbers = owners.indices.filter { $0 > 0 && owners[$0] > 0 && lengths[$0] > 0 }
  }

  /// The index of explanations to use for a comic; -1 if there is none.
  func owner(of number: Int) -> Int { number < owners.count ? Int(owners[number]) - 1 : -1 }

  /// The encoded length of a comic's explanation.
  func length(of number: Int) -> UInt8 { lengths[number] }
}
