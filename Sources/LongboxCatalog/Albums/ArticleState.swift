// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// What is known of the article about an album.
public enum ArticleState: Equatable, Sendable {
  /// Wikipedia is not asked, because the operator has set no contact address.
  case off
  /// This page fits; the others are for a reader who rejects it.
  case sure(ArticleCandidate, others: [ArticleCandidate])
  /// Several pages may fit; a reader can pick one.
  case unsure([ArticleCandidate])
  /// Wikipedia has no article about it.
  case none
  /// Wikipedia has not answered yet.
  case unavailable
}
