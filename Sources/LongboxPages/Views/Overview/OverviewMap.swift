// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// The overview as a map: how much the reader has read, in all and in each year.
struct OverviewMap {
  let page: OverviewPage

  @HTMLBuilder var html: HTML {
    p(.class("progress")) {
      strong { Text(grouped: read) }
      " of " + Text(grouped: page.count) + (page.count == 1 ? " comic read" : " comics read")
    }
    HTML(
      element: "progress",
      [
        .label("Comics read"), Attribute("max", max(page.count, 1)), Attribute("value", read),
      ],
      HTML()
    )
    div(.class("map-actions")) {
      a(.class("button primary"), .href(.oldestUnread)) { "Oldest unread" }
      " "
      a(.class("button action"), .href(.randomUnread), Attribute("rel", "nofollow")) { "Random unread" }
    }
    ReadUpToForm(back: .overview(.init(view: .map))).html
    p(.class("key"), Attribute("aria-hidden", "true")) {
      for (kind, name) in [("r", "Read"), ("", "Unread"), ("f", "Favorite")] as [(Text, Text)] {
        span {
          HTML(element: "i", kind.isEmpty ? [] : [.class(kind)], HTML())
          " " + name
        }
      }
      span(.class("months")) { "Jan – Dec" }
    }
    ul(.class("map")) {
      for year in page.years { progress(in: year).html }
    }
  }

  private var read: Int {
    guard let marks = page.marks else { return 0 }
    var count = 0
    for year in page.years { count += year.comics.count { marks.isRead($0.number) } }
    return count
  }

  private func progress(in year: OverviewPage.Year) -> ProgressMap {
    var map = ProgressMap(of: year.year)
    for comic in year.comics.reversed() {
      map.add(
        isRead: page.marks?.isRead(comic.number) == true,
        isFavorite: page.library.isFavorite(comic.number),
        on: comic.date
      )
    }
    return map
  }
}
