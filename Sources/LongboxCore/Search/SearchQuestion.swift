// Longbox
// SPDX-License-Identifier: MIT

/// A search request: all inputs of a search besides the archive.
public struct SearchQuestion: Equatable, Sendable {
  /// The query.
  public var text: Text
  /// Whether to search all texts, or titles and numbers only.
  public var isDeep: Bool
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
    isTyping: Bool = false,
    offset: Int = 0,
    limit: Int = 50,
    favorites: ComicSet = .empty,
    read: ComicSet = .empty
  ) {
    self.text = text
    self.isDeep = isDeep
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
    results(
      for: question.text,
      options: SearchOptions(
        isDeep: question.isDeep,
        isTyping: question.isTyping,
        offset: question.offset,
        limit: question.limit,
        isFavorite: { question.favorites.contains($0) },
        isRead: { question.read.contains($0) },
        hasSnippets: question.hasSnippets,
        explanation: explanation
      )
    )
  }
}
