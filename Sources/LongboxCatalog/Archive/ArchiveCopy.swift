// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore
import LongboxStore

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

extension Catalog {
  /// The segment that brings a device's copy up to date: a delta if possible, else the whole archive.
  /// - Returns: nil if the copy is up to date.
  /// - Throws: `CatalogError.store` if the store can't be read.
  public func update(for copy: ArchiveCopy) async throws(CatalogError) -> Segment? {
    let repository = shown
    let archive = repository.current.archive
    do {
      guard copy.canBeUpdated(to: archive) else { return try archive.compacted().segments[0] }
      guard copy.revision < archive.revision else { return nil }
      // Later changes of the store are included too. The next delta repeats them, which is harmless.
      let changed = try await repository.store.changes(since: Revision(copy.revision))
      guard changed.comics.count < archive.count / 2 else { return try archive.compacted().segments[0] }
      return try Archive.delta(
        of: changed,
        from: copy.revision,
        to: archive.revision,
        isSampleBox: archive.isSampleBox
      )
    } catch {
      throw CatalogError(error)
    }
  }
}
