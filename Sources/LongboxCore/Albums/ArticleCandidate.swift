// Longbox
// SPDX-License-Identifier: MIT

/// A Wikipedia page that may be about an album.
public struct ArticleCandidate: Equatable, Sendable {
  /// The page ID.
  public var id: Int
  /// The page's title, such as "Weezer (Blue Album)".
  public var title: Text
  /// Wikipedia's short description, such as "1994 studio album by Weezer"; may be empty.
  public var summary: Text
  /// The beginning of the page as plain text.
  public var extract: Text
  /// Whether the page is a disambiguation page.
  public var isDisambiguation: Bool
  /// The revision ID.
  public var revision: Int
  /// The page's address.
  public var address: Text

  /// Creates a candidate.
  public init(
    id: Int,
    title: Text,
    summary: Text = .empty,
    extract: Text = .empty,
    isDisambiguation: Bool = false,
    revision: Int = 0,
    address: Text = .empty
  ) {
    self.id = id
    self.title = title
    self.summary = summary
    self.extract = extract
    self.isDisambiguation = isDisambiguation
    self.revision = revision
    self.address = address
  }
}
