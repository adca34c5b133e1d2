// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// What is known of the article about an album.
public enum ArticleState: Equatable, Sendable {
  /// Wikipedia is not asked, because the operator has set no contact address.
  case off
  /// This page, chosen automatically or by a reader.
  case here(ArticleCandidate, isPicked: Bool)
  /// Several pages may fit; a reader can pick one.
  case unsure([ArticleCandidate])
  /// A reader has rejected the page that seemed to fit; these are the other candidates, if any.
  case dismissed([ArticleCandidate])
  /// Wikipedia has no article about it.
  case none
  /// Wikipedia has not answered yet.
  case unavailable
}
