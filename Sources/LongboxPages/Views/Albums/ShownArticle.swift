// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// The state of an album's Wikipedia article.
public enum ShownArticle: Equatable, Sendable {
  /// Wikipedia is switched off.
  case off
  /// An article about the album.
  case here(ArticleCandidate, isPicked: Bool, isSample: Bool)
  /// Candidates to choose from.
  case unsure([ArticleCandidate])
  /// The reader rejected the article that seemed to fit; other candidates may remain.
  case dismissed([ArticleCandidate])
  /// There is no article.
  case none
  /// Wikipedia has not answered yet.
  case unavailable

  /// The address of the form that has the server ask Wikipedia again.
  static func lookAgainAddress(of album: StoreID) -> Text { "/albums/" + album.text + "/article" }
}
