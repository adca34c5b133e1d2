// Longbox
// SPDX-License-Identifier: MIT

/// A page of explain xkcd about a comic, as its editors wrote it.
public struct ExplainPage: Equatable, Sendable {
  /// The page's name, such as "353: Python".
  public let title: String
  /// The number of the revision; it changes with the text.
  public let revision: Int
  /// When that revision was written, in the wiki's format: `2026-08-07T13:04:05Z`.
  public let timestamp: String
  /// The wikitext, which `WikiPage` parses.
  public let wikitext: String

  /// Makes a page.
  public init(title: String, revision: Int, timestamp: String, wikitext: String) {
    self.title = title
    self.revision = revision
    self.timestamp = timestamp
    self.wikitext = wikitext
  }
}

/// What explain xkcd has about a comic.
public enum ExplainLookup: Equatable, Sendable {
  /// The page.
  case page(ExplainPage)
  /// There is none: the comic is new, or its number leads to another page.
  case missing
  /// The page alone exceeds this many bytes of JSON, and was not read.
  case tooLong(limit: Int)
}
