// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// What is known of the article about an album.
public enum ArticleState: Equatable, Sendable {
  /// Wikipedia is not asked, since whoever runs this server has not said how to be reached.
  case off
  /// This page is about it, by our rules or because a reader said so.
  case here(ArticleCandidate, isPicked: Bool)
  /// One of these may be; a reader can say which.
  case unsure([ArticleCandidate])
  /// A reader said that it is none of those that seemed to fit; one of these may still be, where there are any.
  case dismissed([ArticleCandidate])
  /// There is none.
  case none
  /// Wikipedia has not answered yet.
  case unavailable
}
