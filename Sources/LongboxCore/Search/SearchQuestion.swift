// Longbox
// SPDX-License-Identifier: MIT

/// A search request: all inputs of a search besides the archive.
public struct SearchQuestion: Equatable, Sendable {
  /// The query.
  public var text: Text
  /// Whether to search all texts, or titles and numbers only.
  public var isDeep: Bool
  /// The maximum number of comics to return of those that a deep search finds besides a search of titles.
  public var mostInTexts: Int
  /// Whether the reader is still typing, so that the last word may be incomplete.
  public var isTyping: Bool
  /// The number of hits to skip.
  public var offset: Int
  /// The maximum number of hits to return.
  public var limit: Int
  /// The comics for `is:favorite`.
  public var favorites: ComicSet
  /// The comics for `is:read`.
  public var read: ComicSet
  /// Whether hits come with snippets; without, no explanation is read.
  public var hasSnippets = true

  /// Creates a search request.
  public init(
    text: Text,
    isDeep: Bool = true,
    mostInTexts: Int = 0,
    isTyping: Bool = false,
    offset: Int = 0,
    limit: Int = 50,
    favorites: ComicSet = .empty,
    read: ComicSet = .empty
  ) {
    self.text = text
    self.isDeep = isDeep
    self.mostInTexts = mostInTexts
    self.isTyping = isTyping
    self.offset = offset
    self.limit = limit
    self.favorites = favorites
    self.read = read
  }
}

extension Search {
  /// Runs a search.
  /// - Parameters:
  ///   - question: the search request.
  ///   - explanation: the plain text of a comic's explanation, for a snippet, if the host has it.
  public func results(
    for question: SearchQuestion,
    explanation: @escaping (Comic.Number) -> Text? = { _ in nil }
  ) -> SearchResults {
    let query = SearchQuery(question.text)
    guard !query.isEmpty else { return SearchResults(hasExplanations: corpus.hasExplanations) }
    var options = SearchOptions(
      isDeep: question.isDeep,
      isTyping: question.isTyping,
      offset: question.offset,
      limit: question.limit,
      isFavorite: { question.favorites.contains($0) },
      isRead: { question.read.contains($0) },
      hasSnippets: question.hasSnippets,
      explanation: explanation
    )
    var (results, found) = results(for: query, options)
    guard !question.isDeep, question.mostInTexts > 0 else { return results }
    options.isDeep = true
    options.offset = 0
    options.limit = question.mostInTexts
    let deep = self.results(for: query, options, without: found).results
    results.inTexts = SearchResults.InTexts(hits: deep.hits, totalOfDeepSearch: deep.total)
    results.missingTexts = deep.missingTexts
    results.isByDate = results.isByDate || deep.isByDate
    if results.total == 0 {
      if let meant = deep.didYouMean { (results.didYouMean, results.showsMeant) = (meant, deep.showsMeant) }
      if deep.total > 0 || deep.withoutQuotes != nil { results.withoutQuotes = deep.withoutQuotes }
    }
    return results
  }
}
