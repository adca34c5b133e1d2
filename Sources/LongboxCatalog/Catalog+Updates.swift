// Longbox
// SPDX-License-Identifier: MIT

public import Foundation
public import LongboxCore
import LongboxStore

/// What has changed, for devices and other programs that have an older copy.
extension Catalog {
  /// One page of the list of changes.
  public struct ChangePage: Sendable {
    /// The archive that the comics come from.
    public var archive: Archive
    /// The comics in the order of their last change, each once.
    public var comics: [ArchivedComic]
    /// The position after them.
    public var position: ChangePosition
    /// Whether more changes follow.
    public var isMore: Bool
  }

  /// The comics that were added or changed after a position, oldest change first; a comic that changes
  /// between two calls appears again.
  /// - Parameters:
  ///   - position: the position of the last change that the caller knows.
  ///   - limit: the most comics, above 0.
  /// - Returns: nil if the position is ahead of this archive.
  /// - Throws: `CatalogError.store` if the store can't be read.
  public func changes(after position: ChangePosition, limit: Int) async throws(CatalogError) -> ChangePage? {
    let shown = shown
    _ = await shown.nodes.catchUp(to: position.revision)
    let archive = shown.current.archive
    guard position.revision <= archive.revision else { return nil }
    // One more than requested, to see whether more follow. Changes beyond the archive come later.
    let changed = try await mappingErrors {
      try await shown.store.comics.changes(
        after: Revision(position.revision),
        position.number,
        upTo: Revision(archive.revision),
        limit: limit + 1
      )
    }
    let isMore = changed.count > limit
    let last = changed.prefix(limit).last
    return ChangePage(
      archive: archive,
      // A comic that can't be decoded is stored, but not in the archive.
      comics: changed.prefix(limit).compactMap { archive.comic($0.number) },
      position: isMore
        ? ChangePosition(revision: last?.revision.value ?? 0, number: last?.number.value ?? 0)
        : ChangePosition(revision: archive.revision),
      isMore: isMore
    )
  }

  /// When comics last changed, to the second; comics that never changed are left out.
  /// - Throws: `CatalogError.store` if the store can't be read.
  public func changeDates(of numbers: [Comic.Number]) async throws(CatalogError) -> [Comic.Number: Date] {
    try await mappingErrors { try await shown.store.feeds.changeDates(of: numbers) }
  }

  /// Makes sure that this node has what a device has seen at another one; it waits for a second at most.
  /// - Returns: false if the device's archive is still ahead of this node, so that there is nothing for it yet.
  public func catchUp(with copy: ArchiveCopy) async -> Bool {
    let shown = shown
    let archive = shown.current.archive
    guard copy.rules == archive.rules, copy.isSampleBox == archive.isSampleBox else { return true }
    return await shown.nodes.catchUp(to: copy.revision)
  }

  /// The same for the device's index of explanations.
  public func catchUp(withExplanations copy: ArchiveCopy) async -> Bool {
    let shown = shown
    let index = shown.current.explanationIndex
    guard copy.rules == index.rules, copy.isSampleBox == index.isSampleBox else { return true }
    return await shown.nodes.catchUp(toExplanations: copy.revision)
  }

  /// The segment that brings a device's copy up to date: a delta if possible, else the whole archive.
  /// - Returns: nil if the copy is up to date.
  /// - Throws: `CatalogError.store` if the store can't be read.
  public func update(for copy: ArchiveCopy) async throws(CatalogError) -> Segment? {
    let shown = shown
    return try await mappingErrors { try await shown.current.archive.update(for: copy, from: shown.store) }
  }

  /// The segment that updates a device's copy of the explanation index: a delta if possible, else the whole.
  /// - Returns: nil if the copy is up to date.
  /// - Throws: `CatalogError.store` if the store can't be read.
  public func explanationUpdate(for copy: ArchiveCopy) async throws(CatalogError) -> Segment? {
    let shown = shown
    return try await mappingErrors {
      try await shown.current.explanationIndex.update(for: copy, from: shown.store)
    }
  }
}

/// A position in the list of changes: a revision and a comic, because an import's revision has many comics.
public struct ChangePosition: Equatable, Sendable {
  public var revision: Int
  /// The last comic before this position; the greatest number if all comics of the revision are before it.
  public var number: Int

  /// Makes a position, by default after all of a revision.
  public init(revision: Int, number: Int = Comic.Number.greatestValue) {
    self.revision = revision
    self.number = number
  }

  /// The position before the first change.
  public static var beginning: ChangePosition { ChangePosition(revision: 0) }
}

extension ChangePosition: LosslessStringConvertible {
  /// The position as clients write it: `120` is after all of revision 120, `120.353` after its comic 353.
  public var description: String {
    number == Comic.Number.greatestValue ? "\(revision)" : "\(revision).\(number)"
  }

  /// Parses a position: up to nine digits of revision and six of number.
  public init?(_ description: String) {
    let parts = description.split(separator: ".", omittingEmptySubsequences: false).map {
      Text(string: String($0))
    }
    guard let first = parts.first, let revision = first.number, parts.count <= 2 else { return nil }
    guard parts.count == 2 else {
      self.init(revision: revision)
      return
    }
    guard parts[1].count <= 6, let number = parts[1].number else { return nil }
    self.init(revision: revision, number: number)
  }
}

/// Which version of the archive, or of the explanation index, a device has.
public struct ArchiveCopy: Equatable, Sendable {
  /// The revision of its copy, 0 if it has none.
  public var revision: Int
  /// The version of the decoding rules that made its text.
  public var rules: Int
  /// Whether it holds the samples.
  public var isSampleBox: Bool

  /// Makes a description of a copy.
  public init(revision: Int, rules: Int, isSampleBox: Bool) {
    self.revision = revision
    self.rules = rules
    self.isSampleBox = isSampleBox
  }

  /// Whether a delta can bring the copy up to date with an archive.
  ///
  /// It can't if the copy has other content or older rules, or is ahead: the server was restored from a
  /// backup.
  public func canBeUpdated(to archive: Archive) -> Bool {
    canBeUpdated(to: archive.revision, archive.rules, archive.isSampleBox)
  }

  /// Whether a delta can bring the copy up to date with an explanation index.
  public func canBeUpdated(to index: ExplanationIndex) -> Bool {
    canBeUpdated(to: index.revision, index.rules, index.isSampleBox)
  }

  private func canBeUpdated(to revision: Int, _ rules: Int, _ isSampleBox: Bool) -> Bool {
    self.revision > 0 && self.revision <= revision && self.rules == rules && self.isSampleBox == isSampleBox
  }
}

extension Archive {
  /// The segment for a device's copy: a delta if possible, else the whole archive.
  /// - Returns: nil if the copy is up to date.
  func update(for copy: ArchiveCopy, from store: Store) async throws -> Segment? {
    guard copy.canBeUpdated(to: self) else { return try compacted().segments[0] }
    guard copy.revision < revision else { return nil }
    // Later changes of the store are included too. The next delta repeats them, which is harmless.
    let changed = try await store.changes(since: Revision(copy.revision))
    guard changed.comics.count < count / 2 else { return try compacted().segments[0] }
    return try Self.delta(of: changed, from: copy.revision, to: revision, isSampleBox: isSampleBox)
  }
}

extension ExplanationIndex {
  /// The segment for a device's copy: a delta if possible, else the whole index.
  /// - Returns: nil if the copy is up to date.
  func update(for copy: ArchiveCopy, from store: Store) async throws -> Segment? {
    guard copy.canBeUpdated(to: self) else { return try compacted().segments[0] }
    guard copy.revision < revision else { return nil }
    // A delta decodes its texts again, so for many changes the whole index is cheaper.
    let changes = try await store.explanations.count(changedSince: copy.revision)
    guard changes <= count / 8 else { return try compacted().segments[0] }
    return try await store.explanationDelta(from: copy.revision, to: self)
  }
}
