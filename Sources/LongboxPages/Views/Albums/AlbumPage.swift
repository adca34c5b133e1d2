// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// The middle of a page about albums, as the server made it.
///
/// Only the server has albums. Of those that are saved a device keeps this, and puts it into its own frame.
public struct AlbumPage: Equatable, Sendable {
  /// The title, which is also the heading.
  public var name: Text
  /// What stands in the middle.
  public var body: HTML
  /// The HTTP status.
  public var status: Int
  /// After how many seconds the browser should load it again.
  public var reload: Int?
  /// The artist that it is about, to be noted among those that the reader looked at lately.
  public var artist: RecentArtist?
  /// The tracks of the album, where they are known.
  public var tracks: AlbumTracks?
  /// The album that it is about, where it is about one.
  var album: StoreID?
  /// Whether the reader has saved that album.
  var isSaved = false

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
    h1 { bdi { name } }
  }

  /// The page has a button to save the album and one to remove it; the style sheet shows the one that does something.
  var content: HTML {
    div(.class(album == nil ? "albums" : isSaved ? "albums album is-saved" : "albums album")) { body }
  }
}
