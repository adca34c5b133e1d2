// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// The main part of a page about albums, made by the server.
///
/// Devices store it for saved albums and show it in their own frame.
public struct AlbumPage: Equatable, Sendable {
  /// The title, which is also the heading.
  public var name: Text
  /// The main content, with a mark where ``articles`` belong.
  public var body: HTML
  /// What an album's page says about its article, by the reader's choice.
  public var articles: ArticleVersions?
  /// The HTTP status.
  public var status: Int
  /// The number of seconds after which the browser should reload the page.
  public var reload: Int?
  /// The page's artist, to add to the reader's recent artists.
  public var artist: RecentArtist?
  /// The album's tracks, if known.
  public var tracks: AlbumTracks?
  /// The page's album, if any.
  var album: StoreID?
  var isSaved = false
  /// The page above it.
  var back: BackLink?
  /// The reader's choice of article.
  var pick: ArticlePick?

  /// Makes a page.
  public init(name: Text, body: HTML, status: Int = 200, reload: Int? = nil) {
    self.name = name
    self.body = body
    self.status = status
    self.reload = reload
  }
}

extension AlbumPage: Page {
  var title: Text { name }
  var kind: Text { "albums-page" }
  var tab: Tab? { .albums }
  var showsComics: Bool { false }

  var heading: HTML {
    nameHeading(name)
  }

  /// The body has buttons to save and to remove the album; the style sheet shows one of them.
  @HTMLBuilder var content: HTML {
    LibraryStyle.html
    div(.class(album == nil ? "albums" : isSaved ? "albums album is-saved" : "albums album")) {
      content(for: pick)
    }
  }

  /// The main content with the article that a reader has chosen.
  func content(for pick: ArticlePick?) -> HTML { articles?.placed(in: body, for: pick) ?? body }
}
