// Longbox
// SPDX-License-Identifier: MIT

import Foundation
public import LongboxCore
public import LongboxStore

extension ExplanationIndex {
  /// The index of what is stored, for who only reads: it asks no source and writes nothing.
  ///
  /// What the file in the data folder lacks is indexed; where there is no file, that is some seconds' work.
  /// - Throws: `CatalogError.store` where the store can't be read.
  public static func stored(in store: Store) async throws(CatalogError) -> ExplanationIndex {
    do {
      let file = ExplanationIndexFile(in: store.folder)
      var index = try await file.read(for: store.explanationTotals()) ?? empty()
      while let delta = try await store.explanationDelta(after: index) {
        index = try index.updated(with: delta.segment)
      }
      return index
    } catch {
      throw CatalogError(error)
    }
  }

  /// The index with what has changed in the store since it was made.
  /// - Throws: `ArchiveError` where the explanations are beyond what the format holds.
  func updated(with delta: Segment) throws(ArchiveError) -> ExplanationIndex {
    let updated = try adding(delta)
    return updated.segments.count > Self.mostSegments ? try updated.compacted() : updated
  }

  /// Above this many segments they are laid together.
  private static var mostSegments: Int { 16 }
}

extension Store {
  /// So many explanations go into one delta: some tenths of a second's work, and a few megabytes.
  private static var mostInDelta: Int { 400 }
  /// Their wikitext is read in parts.
  private static var partLength: Int { 50 }

  /// The explanations that changed next after an index was made, or nothing where none did.
  func explanationDelta(after index: ExplanationIndex) async throws -> (
    segment: Segment, comics: Set<Comic.Number>
  )? {
    guard let changed = try await changedTexts(since: index.revision, atMost: Self.mostInDelta) else {
      return nil
    }
    let segment = try Self.segment(changed.texts, index.revision, changed.revision, index.isSampleBox)
    return (segment, Set(changed.texts.keys))
  }

  /// What makes a device's copy an index that is shown.
  /// - Parameters:
  ///   - revision: that of the copy.
  ///   - index: what is shown; what has changed since it was made comes along, and again with the next delta: no harm.
  func explanationDelta(from revision: Int, to index: ExplanationIndex) async throws -> Segment {
    let changed = try await changedTexts(since: revision, atMost: .max)
    return try Self.segment(changed?.texts ?? [:], revision, index.revision, index.isSampleBox)
  }

  private static func segment(
    _ texts: [Comic.Number: Text],
    _ base: Int,
    _ revision: Int,
    _ isSampleBox: Bool
  ) throws(ArchiveError) -> Segment {
    var writer = SegmentWriter()
    let ordered = texts.sorted { $0.key < $1.key }
    writer.explanationIndex = SearchIndexWriter.index(ofExplanations: ordered.map { ($0.key, $0.value) })
    return try Segment(writer.finish(.init(revision: revision, base: base, isSampleBox: isSampleBox)))
  }

  /// The plain texts that came after a revision, and the revision that they lead to; nothing where there is no change.
  private func changedTexts(
    since revision: Int,
    atMost most: Int
  ) async throws(StoreError) -> (texts: [Comic.Number: Text], revision: Int)? {
    let totals = try await explanationTotals()
    guard totals.change > revision else { return nil }
    var texts: [Comic.Number: Text] = [:]
    var last = revision
    while texts.count < most {
      let part = try await explanations(changedSince: last, limit: Self.partLength)
      for stored in part {
        last = stored.change
        guard let text = stored.text else { continue }
        texts[stored.number] = WikiPage(wikitext: Text(text.wikitext)).explanation.plainText
      }
      // The last changes may be of pages that do not exist.
      if part.count < Self.partLength { return (texts, max(last, totals.change)) }
    }
    return (texts, last)
  }
}
