// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// The comics viewed last on this device, as a grid of covers.
struct HistoryPage: Equatable {
  private struct Entry: Equatable {
    let comic: Comic.Number
    let name: Text
    let picture: PictureFacts?
    let isFavorite: Bool
  }

  private let entries: [Entry]
  /// Whether the device has the list; without scripts it is on the server.
  private let isOnDevice: Bool
  /// Whether the host keeps what the reader views; a server begins with the reader's first change.
  private let isRemembered: Bool

  init(archive: Archive, reader: Reader, context: PageContext = PageContext()) {
    isOnDevice = context.isDevice
    isRemembered = reader.isRemembered
    entries = reader.library.history.map { number in
      let comic = archive.comic(number)
      return Entry(
        comic: number,
        name: comic?.title ?? .empty,
        picture: comic.flatMap { context.site.thumbnail(of: $0, in: archive) },
        isFavorite: reader.library.isFavorite(number)
      )
    }
  }
}

extension HistoryPage: Page {
  var title: Text { "Recently viewed" }
  var kind: Text { "list-page" }
  var tab: Tab? { .comics }
  var canonical: Link? { .history }
  var back: BackLink? { BackLink(link: .overview(.init()), name: "Back to all comics") }

  @HTMLBuilder var heading: HTML {
    h1 { title }
    if !entries.isEmpty {
      div(.class("bar-links")) {
        EditForm(address: .clearHistory, comic: nil, back: Link.history.address)
          .html(.class("button"), .label("Clear recently viewed")) { "Clear" }
      }
    }
  }

  @HTMLBuilder var content: HTML {
    LibraryStyle.html
    div(.class("history")) {
      if entries.isEmpty {
        div(.class("message empty")) {
          h2 { "Nothing viewed yet" }
          p {
            isRemembered
              ? "Comics you open on this device appear here."
              : "Comics you open appear here once you have a favorite, a note or a setting, or the app is installed."
          }
          a(.class("button action"), .href(.latest)) { "Latest comic" }
        }
      } else {
        p(.class("count-of"), .role("status")) {
          counted(entries.count, "comic", "comics") + ", the last one first."
          if isOnDevice { " This list stays on this device." }
        }
        ul(.class("covers large"), .label("Recently viewed")) { for entry in entries { tile(entry) } }
      }
    }
  }

  private func tile(_ entry: Entry) -> HTML {
    var tile = ComicTile(comic: entry.comic, name: entry.name, facts: entry.picture)
    tile.isFavorite = entry.isFavorite
    return li(.id("c" + Text(decimal: entry.comic.value))) { tile.link }
  }
}
