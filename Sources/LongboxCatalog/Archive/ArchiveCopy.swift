// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore
import LongboxStore

/// What a device has of the archive, or of the index of explanations.
public struct ArchiveCopy: Equatable, Sendable {
  /// The revision that its copy is at; 0 where it has none.
  public var revision: Int
  /// The version of the decoding rules that its text went through.
  public var rules: Int
  /// Whether it holds the sample box.
  public var isSampleBox: Bool

  /// Makes a description of a copy.
  public init(revision: Int, rules: Int, isSampleBox: Bool) {
    self.revision = revision
    self.rules = rules
    self.isSampleBox = isSampleBox
  }

  /// Whether a delta can make the copy what an archive is.
  ///
  /// Not so where it is of another box or of older rules, or ahead: then the server was restored from a backup.
  public func canBeUpdated(to archive: Archive) -> Bool {
    canBeUpdated(to: archive.revision, archive.rules, archive.isSampleBox)
  }

  /// Whether a delta can make the copy what an index of explanations is.
  public func canBeUpdated(to index: ExplanationIndex) -> Bool {
    canBeUpdated(to: index.revision, index.rules, index.isSampleBox)
  }

  private func canBeUpdated(to revision: Int, _ rules: Int, _ isSampleBox: Bool) -> Bool {
    self.revision > 0 && self.revision <= revision && self.rules == rules && self.isSampleBox == isSampleBox
  }
}

extension Catalog {
  /// What makes a device's copy the archive that is shown: a delta, or a whole segment where no delta would do.
  ///
  /// Every segment that leaves the server is made here.
  /// - Returns: nothing where the copy is up to date.
  /// - Throws: `CatalogError.store` where the store can't be read.
  public func update(for copy: ArchiveCopy) async throws(CatalogError) -> Segment? {
    let repository = shown
    let archive = repository.current.archive
    do {
      guard copy.canBeUpdated(to: archive) else { return try archive.compacted().segments[0] }
      guard copy.revision < archive.revision else { return nil }
      // What has changed since the archive was made comes along, and again with the next delta: no harm.
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
