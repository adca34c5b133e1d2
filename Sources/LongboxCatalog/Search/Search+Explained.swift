// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore
public import LongboxStore

extension Search {
  /// Answers a question, with snippets from explanations; their texts are not in the index, so only hits
  /// without another snippet have theirs read.
  /// - Parameters:
  ///   - question: the question.
  ///   - text: reads the plain text of a comic's explanation.
  func results(
    for question: SearchQuestion,
    text: (Comic.Number) async throws -> Text?
  ) async rethrows -> SearchResults {
    let results = results(for: question)
    var found: [Comic.Number: Text] = [:]
    for hit in results.hits where hit.field == .explanation {
      found[hit.number] = try await text(hit.number)
    }
    let texts = found
    return texts.isEmpty ? results : self.results(for: question) { texts[$0] }
  }
}

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
      try await search.results(for: question) { number in
        try await store.explanation(of: number).flatMap { Explanation($0)?.document.plainText }
      }
    }
  }
}
