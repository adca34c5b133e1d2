// Longbox
// SPDX-License-Identifier: MIT

/// A page of an encyclopedia that may be about an album.
public struct ArticleCandidate: Equatable, Sendable {
  /// The page's number.
  public var id: Int
  /// The page's name, such as "Weezer (Blue Album)".
  public var title: Text
  /// What the encyclopedia says that it is, such as "1994 studio album by Weezer"; may be empty.
  public var summary: Text
  /// The beginning of the page, plain.
  public var extract: Text
  /// Whether it only tells pages of one name apart.
  public var isDisambiguation: Bool
  /// The number of its revision.
  public var revision: Int
  /// Its address.
  public var address: Text

  /// Makes a page.
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
