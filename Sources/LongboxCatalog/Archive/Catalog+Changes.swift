// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore
import LongboxStore

extension Catalog {
  /// One page of the list of changes.
  public struct Changes: Sendable {
    /// The archive that the comics come from.
    public var archive: Archive
    /// The comics in the order of their last change, each once.
    public var comics: [ArchivedComic]
    /// The position after them.
    public var place: ChangePlace
    /// Whether more changes follow.
    public var isMore: Bool
  }

  /// The comics that were added or changed after a position, oldest change first; a comic that changes
  /// between two calls appears again.
  /// - Parameters:
  ///   - place: the position of the last change that the caller knows.
  ///   - limit: the most comics, above 0.
  /// - Returns: nil if the position is ahead of this archive.
  /// - Throws: `CatalogError.store` if the store can't be read.
  public func changes(after place: ChangePlace, limit: Int) async throws(CatalogError) -> Changes? {
    let repository = shown
    let archive = repository.current.archive
    guard place.revision <= archive.revision else { return nil }
    let changed: [StoredChange]
    do {
      // One more than requested, to see whether more follow. Changes beyond the archive come later.
      changed = try await repository.store.changes(
        after: Revision(place.revision),
        place.number,
        upTo: Revision(archive.revision),
        limit: limit + 1
      )
    } catch {
      throw CatalogError(error)
    }
    let isMore = changed.count > limit
    let last = changed.prefix(limit).last
    return Changes(
      archive: archive,
      // A comic that can't be decoded is stored, but not in the archive.
      comics: changed.prefix(limit).compactMap { archive.comic($0.number) },
      place: isMore
        ? ChangePlace(revision: last?.revision.value ?? 0, number: last?.number.value ?? 0)
        : ChangePlace(revision: archive.revision),
      isMore: isMore
    )
  }
}
