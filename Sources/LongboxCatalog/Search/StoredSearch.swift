// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore
public import LongboxStore

/// Search over the stored comics, for read-only use.
public struct StoredSearch: Sendable {
  /// The comics that are searched.
  public let archive: Archive
  private let search: Search
  private let store: Store

  /// Loads the archive and the index.
  /// - Throws: `CatalogError.store` if the store can't be read.
  public init(_ store: Store) async throws(CatalogError) {
    self.store = store
    archive = try await Archive.stored(in: store)
    search = Search(archive: archive, explanations: try await ExplanationIndex.stored(in: store))
  }

  /// Answers a question.
  /// - Throws: `CatalogError.store` if the store can't be read.
  public func results(for question: SearchQuestion) async throws(CatalogError) -> SearchResults {
    try await mappingErrors {
      try await search.results(for: question, running: { $0() }) { number in
        try await store.explanations.explanation(of: number).flatMap { Explanation($0)?.document.plainText }
      }
    }
  }
}
