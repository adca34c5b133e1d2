// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// What an album's page says about its article, for each choice that a reader can make.
///
/// The server makes all versions, so that a device can follow the reader's choice without a connection.
public struct ArticleVersions: Equatable, Sendable {
  /// One of the versions.
  public struct Version: Equatable, Sendable {
    /// The page that the reader has chosen: its number, 0 for none of them, nil for no choice.
    public var page: Int?
    /// What the page says then.
    public var html: HTML

    /// Makes a version.
    public init(page: Int?, html: HTML) {
      self.page = page
      self.html = html
    }
  }

  /// The language code of the Wikipedia that has the pages.
  public var language: Text
  /// The versions, one of them for no choice.
  public var versions: [Version]

  /// Makes versions.
  public init(language: Text, versions: [Version]) {
    self.language = language
    self.versions = versions
  }

  /// Marks the article's place in a page's body; escaped text never contains it.
  static var mark: StaticString { "<!--article-->" }

  /// A page's body with the version for a reader's choice; a page that is no longer found counts as no choice.
  func placed(in body: HTML, for pick: ArticlePick?) -> HTML {
    let mark = Self.mark.utf8Bytes
    guard let place = body.bytes[...].firstIndex(of: mark, from: 0) else { return body }
    let page = pick.flatMap { $0.language == language ? $0.page : nil }
    let version = versions.first { $0.page == page } ?? versions.first { $0.page == nil }
    var bytes = Array(body.bytes[..<place])
    if let version { bytes += version.html.bytes }
    bytes += body.bytes[(place + mark.count)...]
    return HTML(rendered: bytes)
  }
}
