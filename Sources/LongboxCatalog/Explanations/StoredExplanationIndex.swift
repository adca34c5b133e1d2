// Longbox
// SPDX-License-Identifier: MIT

import Foundation
public import LongboxCore
public import LongboxStore

extension ExplanationIndex {
  /// The index of the stored explanations, for read-only use.
  ///
  /// It asks no source and writes nothing.
  ///
  /// Explanations missing from the index file are indexed. Without a file, that takes some seconds.
  /// - Throws: `CatalogError.store` if the store can't be read.
  public static func stored(in store: Store) async throws(CatalogError) -> ExplanationIndex {
    do {
      let file = ExplanationIndexFile(in: store.folder)
      var index = try await file.read(for: store.explanations.totals()) ?? empty()
      while let delta = try await store.explanationDelta(after: index) {
        index = try index.updated(with: delta.segment)
      }
      return index
    } catch {
      throw CatalogError(error)
    }
  }

  /// The index with a delta added.
  /// - Throws: `ArchiveError` if the explanations exceed the format's limits.
  func updated(with delta: Segment) throws(ArchiveError) -> ExplanationIndex {
    let updated = try adding(delta)
    return updated.segments.count > Self.mostSegments ? try updated.compacted() : updated
  }

  /// The most segments before compaction.
  private static var mostSegments: Int { 16 }
}

extension Store {
  /// The most explanations in one delta: some tenths of a second's work, and a few megabytes.
  private static var mostInDelta: Int { 400 }
  /// How many wikitexts are read at once.
  private static var partLength: Int { 50 }

  /// The next explanations that changed after an index was made, or nil.
  func explanationDelta(after index: ExplanationIndex) async throws -> (
    segment: Segment, comics: Set<Comic.Number>
  )? {
    guard let changed = try await changedTexts(since: index.revision, atMost: Self.mostInDelta) else {
      return nil
    }
    let segment = try Self.segment(changed.texts, index.revision, changed.revision, index.isSampleBox)
    return (segment, Set(changed.texts.keys))
  }

  /// The segment that brings a device's copy up to date with an index.
  /// - Parameters:
  ///   - revision: the revision of the copy.
  ///   - index: the current index. Later changes of the store are included too; the next delta repeats them,
  ///     which is harmless.
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

  /// The plain texts after a revision, and the revision that they lead to; nil if nothing changed.
  private func changedTexts(
    since revision: Int,
    atMost most: Int
  ) async throws(StoreError) -> (texts: [Comic.Number: Text], revision: Int)? {
    let totals = try await explanations.totals()
    guard totals.change > revision else { return nil }
    var texts: [Comic.Number: Text] = [:]
    var last = revision
    while texts.count < most {
      let part = try await explanations.explanations(changedSince: last, limit: Self.partLength)
      for stored in part {
        last = stored.change
        guard let explanation = Explanation(stored) else { continue }
        texts[stored.number] = explanation.document.plainText
      }
      // The last changes may be pages that do not exist.
      if part.count < Self.partLength { return (texts, max(last, totals.change)) }
    }
    return (texts, last)
  }
}

/// The file of the index, for a faster start.
struct ExplanationIndexFile: Sendable {
  static var name: String { "explanations.lbx" }

  private let file: SegmentFile

  init(in folder: URL) {
    file = SegmentFile(location: folder.appending(path: Self.name))
  }

  /// The index, or nil if there is no usable one.
  /// - Parameter totals: what the store holds. An index with more belongs to another database.
  func read(for totals: ExplanationTotals) -> ExplanationIndex? {
    guard
      let index = file.read().flatMap({ try? ExplanationIndex($0) }),
      !index.isSampleBox, index.revision <= totals.change, index.count <= totals.pages
    else { return nil }
    return index
  }

  /// Replaces the file with an index, as one segment.
  func write(_ index: ExplanationIndex) throws { try file.write(index.compacted().segments[0]) }
}
