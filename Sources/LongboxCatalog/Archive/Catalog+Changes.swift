// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore
import LongboxStore

extension Catalog {
  /// A part of what was added or changed after a place in the order of changes.
  public struct Changes: Sendable {
    /// What the comics were read from.
    public var archive: Archive
    /// The comics, each once, in the order in which they last changed.
    public var comics: [ArchivedComic]
    /// The place after them.
    public var place: ChangePlace
    /// Whether there are more already.
    public var isMore: Bool
  }

  /// What was added or changed after a place, the oldest change first.
  ///
  /// A comic that changes while somebody goes from part to part comes again at the end, so nothing is missed.
  /// - Parameters:
  ///   - place: up to where the caller knows all.
  ///   - limit: the most comics, above 0.
  /// - Returns: nothing where the place is none of this archive, but one ahead of it.
  /// - Throws: `CatalogError.store` where the store can't be read.
  public func changes(after place: ChangePlace, limit: Int) async throws(CatalogError) -> Changes? {
    let repository = shown
    let archive = repository.current.archive
    guard place.revision <= archive.revision else { return nil }
    let changed: [StoredChange]
    do {
      // One more than is wanted tells whether there are more. What the store has beyond the archive waits.
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
      // One that can't be decoded is stored, but not in the archive.
      comics: changed.prefix(limit).compactMap { archive.comic($0.number) },
      place: isMore
        ? ChangePlace(revision: last?.revision.value ?? 0, number: last?.number.value ?? 0)
        : ChangePlace(revision: archive.revision),
      isMore: isMore
    )
  }
}
