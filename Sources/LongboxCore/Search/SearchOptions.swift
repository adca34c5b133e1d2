// Longbox
// SPDX-License-Identifier: MIT

/// What a search is asked for besides the words.
public struct SearchOptions {
  /// Whether all texts are searched, or titles and numbers only.
  public var isDeep: Bool
  /// Whether the reader is still typing, so that the last word may be the beginning of one.
  public var isTyping: Bool
  /// How many hits are left out at the start.
  public var offset: Int
  /// The most hits that are handed out.
  public var limit: Int
  /// Whether a comic is a favourite, for `is:favorite`.
  public var isFavorite: (Comic.Number) -> Bool
  /// Whether a comic has been read, for `is:unread` and `is:read`.
  public var isRead: (Comic.Number) -> Bool
  /// The plain text of a comic's explanation, for a snippet, where the host has it at hand.
  public var explanation: (Comic.Number) -> Text?

  /// Makes options; by default the first 50 hits of a deep search, with no favourites and nothing read.
  public init(
    isDeep: Bool = true,
    isTyping: Bool = false,
    offset: Int = 0,
    limit: Int = 50,
    isFavorite: @escaping (Comic.Number) -> Bool = { _ in false },
    isRead: @escaping (Comic.Number) -> Bool = { _ in false },
    explanation: @escaping (Comic.Number) -> Text? = { _ in nil }
  ) {
    self.isDeep = isDeep
    self.isTyping = isTyping
    self.offset = offset
    self.limit = limit
    self.isFavorite = isFavorite
    self.isRead = isRead
    self.explanation = explanation
  }
}
