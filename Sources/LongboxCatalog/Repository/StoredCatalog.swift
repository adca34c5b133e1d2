// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore
public import LongboxStore

/// The stored comics, explanations and pictures, for reading only; it asks no source and writes nothing.
public struct StoredCatalog: Sendable {
  /// The comics' text.
  public let archive: Archive
  /// The index of their explanations.
  public let explanationIndex: ExplanationIndex
  private let store: Store

  /// Loads the archive and the index.
  /// - Throws: `CatalogError.store` if the store can't be read.
  public init(_ store: Store) async throws(CatalogError) {
    self.store = store
    archive = try await Archive.stored(in: store)
    explanationIndex = try await ExplanationIndex.stored(in: store)
  }

  /// The explanation of a comic.
  /// - Throws: `CatalogError.store` if the store can't be read.
  public func explanation(of number: Comic.Number) async throws(CatalogError) -> ExplanationState {
    try await explanationSource(of: number).state
  }

  /// The explanation of a comic, not parsed yet.
  /// - Throws: `CatalogError.store` if the store can't be read.
  public func explanationSource(of number: Comic.Number) async throws(CatalogError) -> ExplanationSource {
    try await mappingErrors { ExplanationSource(try await store.explanations.explanation(of: number)) }
  }

  /// Counts of the stored explanations.
  /// - Throws: `CatalogError.store` if the store can't be read.
  public func explanationTotals() async throws(CatalogError) -> ExplanationTotals {
    try await mappingErrors { try await store.explanations.totals() }
  }

  /// A comic's picture; nil if it isn't stored.
  /// - Throws: `CatalogError.store` if the disk fails.
  public func picture(_ kind: PictureKind, of number: Comic.Number) async throws(CatalogError)
    -> PictureContent?
  {
    try await mappingErrors {
      guard let stored = try await store.pictures.picture(kind, of: number),
        let bytes = try await store.pictures.bytes(of: stored)
      else { return nil }
      return PictureContent(stored, bytes: bytes)
    }
  }

  /// The segment that brings a device's copy of the archive up to date; nil if it is current.
  /// - Throws: `CatalogError.store` if the store can't be read.
  public func update(for copy: ArchiveCopy) async throws(CatalogError) -> Segment? {
    try await mappingErrors { try await updates.archive(for: copy) }
  }

  /// The same for the index of explanations.
  /// - Throws: `CatalogError.store` if the store can't be read.
  public func explanationUpdate(for copy: ArchiveCopy) async throws(CatalogError) -> Segment? {
    try await mappingErrors { try await updates.explanationIndex(for: copy) }
  }

  private var updates: DeviceUpdates {
    DeviceUpdates(
      store: store,
      published: PublishedComics(
        archive: archive,
        explanationIndex: explanationIndex,
        search: Search(archive: archive, explanations: explanationIndex),
        newest: archive.latest?.number,
        generation: 0
      )
    )
  }
}
