// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// The content of a page, without the frame.
protocol Page {
  /// The title, without the program's name.
  var title: Text { get }
  /// The description for search engines and shared links.
  var abstract: Text { get }
  /// The class of the page's body, for its layout.
  var kind: Text { get }
  /// The page's entry in the main navigation.
  var tab: Tab? { get }
  /// The canonical address, if any.
  var canonical: Link? { get }
  /// The source of the content.
  var original: Link { get }
  /// Whether the page shows comics, and so needs their attribution.
  var showsComics: Bool { get }
  #if !hasFeature(Embedded)
  /// The picture of a shared link.
  var sharedPicture: ShareCard.Picture? { get }
  /// A feed of the page's content in each format, besides that of new comics.
  var feed: ((FeedFormat) -> Link)? { get }
  #endif
  /// The page above this one, to which an arrow in the top bar leads; nil for the first page of a tab.
  var back: BackLink? { get }
  /// The content of the top bar.
  @HTMLBuilder var heading: HTML { get }
  /// The main content.
  @HTMLBuilder var content: HTML { get }
  /// A control beside the comics' attribution.
  var creditControl: HTML { get }
}

extension Page {
  var abstract: Text { .empty }
  var tab: Tab? { nil }
  var canonical: Link? { nil }
  var original: Link { .external("https://xkcd.com/") }
  var showsComics: Bool { true }
  @HTMLBuilder var heading: HTML { h1 { title } }
  var back: BackLink? { nil }
  var creditControl: HTML { HTML() }
  #if !hasFeature(Embedded)
  var sharedPicture: ShareCard.Picture? { nil }
  var feed: ((FeedFormat) -> Link)? { nil }
  #endif
}

/// A page without its type, so that the frame is compiled once for all pages.
struct AnyPage {
  let title: Text
  let abstract: Text
  let kind: Text
  let tab: Tab?
  let canonical: Link?
  let original: Link
  let showsComics: Bool
  #if !hasFeature(Embedded)
  let sharedPicture: ShareCard.Picture?
  let feed: ((FeedFormat) -> Link)?
  #endif
  let back: BackLink?
  let heading: HTML
  let content: HTML
  let creditControl: HTML

  init(_ page: some Page) {
    title = page.title
    abstract = page.abstract
    kind = page.kind
    tab = page.tab
    canonical = page.canonical
    original = page.original
    showsComics = page.showsComics
    #if !hasFeature(Embedded)
    sharedPicture = page.sharedPicture
    feed = page.feed
    #endif
    back = page.back
    heading = page.heading
    content = page.content
    creditControl = page.creditControl
  }
}

/// The entries of the main navigation.
enum Tab: CaseIterable {
  case comics
  case favorites
  case search
  case albums
  case settings

  var name: Text {
    switch self {
    case .comics: "Comics"
    case .favorites: "Favorites"
    case .search: "Search"
    case .albums: "Albums"
    case .settings: "Settings"
    }
  }

  var link: Link {
    switch self {
    case .comics: .latest
    case .favorites: .favorites
    case .search: .search(.init())
    case .albums: .artists(.empty, nil)
    case .settings: .settings
    }
  }

  var icon: Icon {
    switch self {
    case .comics: .box
    case .favorites: .heart
    case .search: .magnifier
    case .albums: .record
    case .settings: .sliders
    }
  }
}

/// The heading of a page with the name of a comic, an artist or an album.
///
/// The lettering has no letters beyond ASCII, so a name that has some is in the system's font as a whole.
func nameHeading(_ name: Text) -> HTML {
  // The first bytes of letters in UTF-8: 0xC2 and 0xE2 begin signs, such as quotation marks.
  let isLettered = !name.bytes.contains { $0 >= 0xC3 && $0 != 0xE2 }
  return h1(isLettered ? .none : .class("unlettered")) { bdi { name } }
}

/// The arrow at the start of the top bar, which leads to the page above.
struct BackLink: Equatable {
  let link: Link
  /// The accessible name, such as "Back to Settings".
  let name: Text

  static let settings = BackLink(link: .settings, name: "Back to Settings")
  static let favorites = BackLink(link: .favorites, name: "Back to your favorites")

  static let albums = BackLink(link: .artists(.empty, nil), name: "Back to Albums")

  var html: HTML { a(.class("button back"), .href(link), .label(name)) { Icon.previous.html(named: name) } }
}

/// The style sheet of lists, search and albums.
///
/// It is in the body, so that comic pages carry no code for it in the shared head.
enum LibraryStyle {
  static var html: HTML { link(Attribute("rel", "stylesheet"), .href(.local("/assets/library.css"))) }
}
