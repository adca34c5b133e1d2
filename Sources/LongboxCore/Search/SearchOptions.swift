// Longbox
// SPDX-License-Identifier: MIT

/// The options of a search.
public struct SearchOptions {
  /// Whether to search all texts, or titles and numbers only.
  public var isDeep: Bool
  /// Whether the reader is still typing, so that the last word may be incomplete.
  public var isTyping: Bool
  /// The number of hits to skip.
  public var offset: Int
  /// The maximum number of hits to return.
  public var limit: Int
  /// Whether a comic is a favorite, for `is:favorite`.
  public var isFavorite: (Comic.Number) -> Bool
  /// Whether a comic has been read, for `is:unread` and `is:read`.
  public var isRead: (Comic.Number) -> Bool
  /// Whether hits come with snippets.
  public var hasSnippets: Bool
  /// The plain text of a comic's explanation, for a snippet, if the host has it.
  public var explanation: (Comic.Number) -> Text?

  /// Creates options, by default the first 50 hits of a deep search, without favorites and read comics.
  public init(
    isDeep: Bool = true,
    isTyping: Bool = false,
    offset: Int = 0,
    limit: Int = 50,
    isFavorite: @escaping (Comic.Number) -> Bool = { _ in false },
    isRead: @escaping (Comic.Number) -> Bool = { _ in false },
    hasSnippets: Bool = true,
    explanation: @escaping (Comic.Number) -> Text? = { _ in nil }
  ) {
    self.isDeep = isDeep
    self.isTyping = isTyping
    self.offset = offset
    self.limit = limit
    self.isFavorite = isFavorite
    self.isRead = isRead
    self.hasSnippets = hasSnippets
    self.explanation = explanation
  }
}
