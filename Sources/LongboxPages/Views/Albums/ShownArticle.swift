// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// What Wikipedia says of an album, as a page shows it.
public enum ShownArticle: Equatable, Sendable {
  /// Wikipedia is not asked.
  case off
  /// This page is about it.
  case here(ArticleCandidate, isPicked: Bool, isSample: Bool)
  /// One of these may be.
  case unsure([ArticleCandidate])
  /// A reader said that it is none of those that seemed to fit; one of these may still be, where there are any.
  case dismissed([ArticleCandidate])
  /// There is none.
  case none
  /// Wikipedia has not answered yet.
  case unavailable

  /// The address that a reader's choice is sent to.
  public static func pickAddress(of album: StoreID) -> Text { "/albums/" + album.text + "/article" }
}
