// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// A page's model: what it says, apart from how the frame shows it.
protocol Page {
  /// What the browser's tab and history say, before the program's name.
  var title: Text { get }
  /// What a search engine or a shared link says of it.
  var abstract: Text { get }
  /// The class of the page's body, for its layout.
  var kind: Text { get }
  /// The entry of the main navigation that the page belongs to.
  var tab: Tab? { get }
  /// The address under which the page should be known, where it has one.
  var canonical: Link? { get }
  /// Where what is shown comes from.
  var original: Link { get }
  /// Whether comics are shown, so that the page has to say whose they are.
  var showsComics: Bool { get }
  #if !hasFeature(Embedded)
  /// The picture that stands for the page where its link is shared.
  var sharedPicture: ShareCard.Picture? { get }
  /// A feed of what the page shows, besides that of new comics.
  var feed: Link? { get }
  #endif
  /// What stands in the bar at the top.
  @HTMLBuilder var heading: HTML { get }
  /// What stands in the middle.
  @HTMLBuilder var content: HTML { get }
}

extension Page {
  var abstract: Text { .empty }
  var tab: Tab? { nil }
  var canonical: Link? { nil }
  var original: Link { .external("https://xkcd.com/") }
  var showsComics: Bool { true }
  #if !hasFeature(Embedded)
  var sharedPicture: ShareCard.Picture? { nil }
  var feed: Link? { nil }
  #endif
}

/// What a page says, made: the frame around it is then the same code for all pages.
struct MadePage {
  let title: Text
  let abstract: Text
  let kind: Text
  let tab: Tab?
  let canonical: Link?
  let original: Link
  let showsComics: Bool
  #if !hasFeature(Embedded)
  let sharedPicture: ShareCard.Picture?
  let feed: Link?
  #endif
  let heading: HTML
  let content: HTML

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
    heading = page.heading
    content = page.content
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
