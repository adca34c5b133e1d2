// Longbox
// SPDX-License-Identifier: MIT

public import Foundation
public import LongboxCore
import LongboxStore

/// What has changed, for devices and other programs that have an older copy.
extension Catalog {
  /// The comics that were added or changed after a position, oldest change first; a comic that changes
  /// between two calls appears again.
  /// - Parameters:
  ///   - position: the position of the last change that the caller knows.
  ///   - limit: the most comics, above 0.
  /// - Returns: nil if the position is ahead of this archive.
  /// - Throws: `CatalogError.store` if the store can't be read.
  public func changes(after position: ChangePosition, limit: Int) async throws(CatalogError) -> ChangePage? {
    let repository = shown.repository
    _ = await repository.catchUp(to: position.revision)
    let list = ChangeList(store: repository.store, archive: repository.current.archive)
    return try await mappingErrors { try await list.page(after: position, limit: limit) }
  }

  /// When comics last changed, to the second; comics that never changed are left out.
  /// - Throws: `CatalogError.store` if the store can't be read.
  public func changeDates(of numbers: [Comic.Number]) async throws(CatalogError) -> [Comic.Number: Date] {
    try await mappingErrors { try await shown.repository.store.feeds.changeDates(of: numbers) }
  }

  /// Makes sure that this node has what a device has seen at another one; it waits for a second at most.
  /// - Returns: false if the device's archive is still ahead of this node, so that there is nothing for it yet.
  public func catchUp(with copy: ArchiveCopy) async -> Bool {
    let repository = shown.repository
    let archive = repository.current.archive
    guard copy.rules == archive.rules, copy.isSampleBox == archive.isSampleBox else { return true }
    return await repository.catchUp(to: copy.revision)
  }

  /// The same for the device's index of explanations.
  public func catchUp(withExplanations copy: ArchiveCopy) async -> Bool {
    let repository = shown.repository
    let index = repository.current.explanationIndex
    guard copy.rules == index.rules, copy.isSampleBox == index.isSampleBox else { return true }
    return await repository.catchUp(toExplanations: copy.revision)
  }

  /// The segment that brings a device's copy up to date: a delta if possible, else the whole archive.
  /// - Returns: nil if the copy is up to date.
  /// - Throws: `CatalogError.store` if the store can't be read.
  public func update(for copy: ArchiveCopy) async throws(CatalogError) -> Segment? {
    try await mappingErrors { try await deviceUpdates.archive(for: copy) }
  }

  /// The segment that updates a device's copy of the explanation index: a delta if possible, else the whole.
  /// - Returns: nil if the copy is up to date.
  /// - Throws: `CatalogError.store` if the store can't be read.
  public func explanationUpdate(for copy: ArchiveCopy) async throws(CatalogError) -> Segment? {
    try await mappingErrors { try await deviceUpdates.explanationIndex(for: copy) }
  }

  private var deviceUpdates: DeviceUpdates {
    let repository = shown.repository
    return DeviceUpdates(store: repository.store, published: repository.current)
  }
}
