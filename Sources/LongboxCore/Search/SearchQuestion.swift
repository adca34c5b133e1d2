// Longbox
// SPDX-License-Identifier: MIT

/// Everything that a search depends on but the archive.
public struct SearchQuestion: Equatable, Sendable {
  /// What was typed.
  public var text: Text
  /// Whether all texts are searched, or titles and numbers only.
  public var isDeep: Bool
  /// Whether the reader is still typing, so that the last word may be the beginning of one.
  public var isTyping: Bool
  /// How many hits are left out at the start.
  public var offset: Int
  /// The most hits that are handed out.
  public var limit: Int
  /// What `is:favorite` admits.
  public var favorites: ComicSet
  /// What `is:read` admits.
  public var read: ComicSet

  /// Makes a question.
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
  /// Answers a question.
  /// - Parameters:
  ///   - question: what is asked.
  ///   - explanation: the plain text of a comic's explanation, for a snippet, where the host has it at hand.
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
        explanation: explanation
      )
    )
  }
}
