// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

public enum FavoriteOrder: CaseIterable, Equatable, Sendable {
  /// The one added last comes first.
  case newest
  case number
  case title

  var word: Text {
    switch self {
    case .newest: "newest"
    case .number: "number"
    case .title: "title"
    }
  }

  var name: Text {
    switch self {
    case .newest: "Newest"
    case .number: "Number"
    case .title: "Title"
    }
  }

  init?(word: Text) {
    guard let order = Self.allCases.first(where: { $0.word == word }) else { return nil }
    self = order
  }
}

extension FavoriteOrder {
  /// Where the reader's last choice is kept, on this host only.
  private static var key: LibraryKey? {
    do throws(LibraryError) { return try LibraryKey("local/favoriteOrder") } catch { return nil }
  }

  /// The reader's last choice.
  init(in library: Library) {
    self = Self.key.flatMap { library.entry($0)?.value }.flatMap { FavoriteOrder(word: $0) } ?? .newest
  }

  /// Stores the choice, if it is another than before.
  func keep(in replica: inout Replica, at now: UInt64) throws(LibraryError) {
    guard let key = Self.key, self != FavoriteOrder(in: replica.library) else { return }
    try replica.library.set(key, to: word, timestamp: replica.editTime(at: now).timestamp)
  }
}

/// The reader's favorites as a grid of covers.
struct FavoritesPage: Equatable {
  /// A favorite, with its comic's title and picture if known.
  struct Entry: Equatable {
    let favorite: Favorite
    let name: Text
    let picture: PictureFacts?

    /// Such as "353 Python".
    var spoken: Text { Text(decimal: favorite.comic.value) + " " + name }

    func has(_ words: Text) -> Bool {
      (spoken + " " + favorite.note).hasWords(words)
    }
  }

  /// The number of favorites from which on a search field is shown.
  static let searchable = 12
  /// The maximum number of favorites on a page; with their longest notes they take 800 KB.
  static let pageLength = 200

  let view: Link.Favorites
  let order: FavoriteOrder
  /// The number of all favorites.
  let count: Int
  /// The number of favorites that match.
  let total: Int
  /// The favorites of this page, in order.
  let entries: ArraySlice<Entry>

  init(_ view: Link.Favorites, archive: Archive, reader: Reader, site: Site = Site()) {
    order = view.order ?? FavoriteOrder(in: reader.library)
    let all = Self.entries(archive: archive, library: reader.library, order: order, site: site)
    count = all.count
    let matching = view.text.isEmpty ? all : all.filter { $0.has(view.text) }
    total = matching.count
    var view = view
    // The last page may have lost all of its favorites.
    view.offset = min(view.offset, max(0, total - 1) / Self.pageLength * Self.pageLength)
    self.view = view
    entries = matching.dropFirst(view.offset).prefix(Self.pageLength)
  }

  /// All favorites, in an order.
  static func entries(
    archive: Archive,
    library: Library,
    order: FavoriteOrder,
    site: Site = Site()
  ) -> [Entry] {
    let entries = library.favorites.map { favorite in
      let comic = archive.comic(favorite.comic)
      return Entry(
        favorite: favorite,
        name: comic?.title ?? .empty,
        picture: comic.flatMap { site.thumbnail(of: $0, in: archive) }
      )
    }
    return sorted(entries, order)
  }

  private static func sorted(_ entries: [Entry], _ order: FavoriteOrder) -> [Entry] {
    switch order {
    case .newest: return entries
    case .number:
      return sortedIndices(entries.count) { entries[$0].favorite.comic < entries[$1].favorite.comic }
        .map { entries[$0] }
    case .title:
      let names = entries.map { $0.name.plainLetters }
      return sortedIndices(entries.count) { names[$0].lexicographicallyPrecedes(names[$1]) }.map {
        entries[$0]
      }
    }
  }
}

extension FavoritesPage: Page {
  var title: Text { isSelecting ? "Select favorites" : "Favorites" }
  var kind: Text { "favorites-page list-page" }
  var tab: Tab? { .favorites }
  var canonical: Link? { .favorites }

  @HTMLBuilder var heading: HTML {
    h1 { title }
    if isSelecting {
      div(.class("bar-links")) {
        a(.class("button"), .href(selection(.all))) { "All" }
        " "
        a(.class("button"), .href(selection(.on))) { "None" }
        " "
        a(.class("button"), .href(.favorites)) { "Done" }
      }
    } else if count > 0 {
      div(.class("bar-links")) {
        a(
          .class("button"),
          .href(.randomListed(.favorites())),
          .title("Random favorite"),
          Attribute("rel", "nofollow")
        ) {
          Icon.random.html
          span { "Random favorite" }
        }
        a(.class("button"), .href(selection(.on))) { "Select" }
      }
    }
  }

  @HTMLBuilder var content: HTML {
    LibraryStyle.html
    div(.class("favorites")) {
      if count == 0 {
        EmptyFavorites.html
      } else if isSelecting {
        choices
      } else {
        sorts
        if count >= Self.searchable || !view.text.isEmpty { box }
        p(.class("count-of"), .role("status")) { size }
        ul(.class("covers large"), .label("Favorites")) { for entry in entries { tile(entry) } }
        further
      }
    }
  }
}

extension FavoritesPage {
  private var isSelecting: Bool { view.selection != .off && count > 0 }

  private var size: Text {
    if !view.text.isEmpty { return Text(grouped: total) + " of " + Text(grouped: count) + " favorites" }
    return counted(count, "comic", "comics")
  }

  /// The links to the other pages, if there are any.
  private var further: HTML {
    guard total > Self.pageLength else { return HTML() }
    return nav(.class("links"), .label("More favorites")) {
      if view.offset > 0 {
        a(.href(page(from: max(0, view.offset - Self.pageLength)))) { "Earlier favorites" }
        " "
      }
      span {
        Text(grouped: view.offset + 1) + " to " + Text(grouped: view.offset + entries.count) + " of "
          + Text(grouped: total)
      }
      " "
      let next = view.offset + Self.pageLength
      if next < total { a(.href(page(from: next))) { "More favorites" } }
    }
  }

  private func page(from offset: Int) -> Link {
    var view = view
    view.offset = offset
    return .favoriteList(view)
  }

  private func selection(_ selection: Link.Favorites.Selection) -> Link {
    var view = view
    view.selection = selection
    return .favoriteList(view)
  }

  private var sorts: HTML {
    nav(.class("segments"), .label("Sort")) {
      for choice in FavoriteOrder.allCases {
        a(
          .href(.favoriteList(.init(order: choice, text: view.text))),
          choice == order ? Attribute("aria-current", "true") : .none
        ) { choice.name }
        " "
      }
    }
  }

  private var box: HTML {
    form(
      .class("field"),
      .role("search"),
      .action(.favorites),
      Attribute("method", "get")
    ) {
      SearchField(name: "q", label: "Search favorites", text: view.text).html
    }
  }

  private func tile(_ entry: Entry) -> HTML {
    let comic = entry.favorite.comic
    var tile = ComicTile(comic: comic, name: entry.name, facts: entry.picture)
    tile.list = ReadingList(view)
    return li(.id("c" + Text(decimal: comic.value))) {
      tile.link
      let removal = "Remove " + entry.spoken + " from favorites"
      EditForm(address: .favorite, comic: comic, isOn: false, back: Link.favoriteList(view).address)
        .html(.class("on-cover"), .label(removal)) { Icon.heart.html(named: removal) }
      FavoriteNote(favorite: entry.favorite, spoken: entry.spoken, back: .favoriteList(view)).html
    }
  }

  // Selecting

  private var choices: HTML {
    form(
      .class("selecting"),
      .action(.local(EditAddress.removeFavorites.path)),
      Attribute("method", "post")
    ) {
      // Before the comics, since only the first fields are parsed by name.
      hidden("back", Link.favorites.address)
      ul(.class("covers large"), .label("Favorites")) { for entry in entries { choice(entry) } }
      further
      div(.class("selection")) {
        button(.class("button action share-list"), Attribute("type", "button"), Attribute("hidden")) {
          Icon.share.html
          "Share list"
        }
        button(.class("button outlined"), Attribute("type", "submit")) { "Remove" }
      }
    }
  }

  private func choice(_ entry: Entry) -> HTML {
    let number = Text(decimal: entry.favorite.comic.value)
    return li {
      label(.class("pick")) {
        input(
          Attribute("type", "checkbox"),
          Attribute("name", "comic"),
          Attribute("value", number),
          view.selection == .all ? Attribute("checked") : .none
        )
        ComicTile(comic: entry.favorite.comic, name: entry.name, facts: entry.picture).content
      }
    }
  }
}

extension Text {
  /// Whether the text contains all words, also as parts of words, without regard to case and accents.
  fileprivate func hasWords(_ words: Text) -> Bool {
    let all = plainLetters[...]
    return words.plainLetters.split(separator: UInt8(ascii: " ")).allSatisfy { all.has($0) }
  }
}

extension ArraySlice<UInt8> {
  fileprivate func has(_ part: ArraySlice<UInt8>) -> Bool {
    guard part.count <= count else { return false }
    return (startIndex...(endIndex - part.count)).contains { self[$0...].starts(with: part) }
  }
}

/// What the page of favorites says if there are none.
enum EmptyFavorites {
  static var html: HTML {
    div(.class("message empty")) {
      Drawing.boxWithHeart.html
      h2 { "No favorites yet" }
      p { "Comics you favorite appear here. Tap the heart on any comic." }
      a(.class("button primary"), .href(.random)) {
        Icon.random.html
        "Random comic"
      }
      a(.class("button action"), .href(.latest)) { "Latest comic" }
    }
  }
}
