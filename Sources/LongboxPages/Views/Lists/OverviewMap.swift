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

/// A reader's progress in the comics of one year: in words, and as a calendar with one square per comic.
///
/// The calendar has a column per week, and in it a square each for Monday, Wednesday and Friday. It repeats the words:
/// a filled square is read, a colored one a favorite.
struct ProgressMap {
  /// The squares of a week.
  private static let rows = 3

  let year: Int
  private var read = 0
  private var favorites = 0
  private var squares = HTML()
  private var count = 0
  /// The number of squares, including those without a comic.
  private var places = 0

  init(of year: Int) {
    self.year = year
  }

  /// Adds the next comic, in order.
  mutating func add(isRead: Bool, isFavorite: Bool, on date: CalendarDate?) {
    count += 1
    if isRead { read += 1 }
    if isFavorite { favorites += 1 }
    // A comic without a date, or whose square is taken, takes the next square.
    while let date, places < Self.place(of: date) {
      squares.append(HTML(element: "i", [.class("x")], HTML()))
      places += 1
    }
    places += 1
    let kind: StaticString = isFavorite ? (isRead ? "r f" : "f") : "r"
    squares.append(HTML(element: "i", isRead || isFavorite ? [.class(kind)] : [], HTML()))
  }

  /// The square of a date: Monday and Tuesday share one, as do Wednesday and Thursday, and the rest of the week.
  private static func place(of date: CalendarDate) -> Int {
    let (week, weekday) = date.weekOfYear
    return week * rows + min(weekday / 2, rows - 1)
  }

  /// Such as "40 of 154 read, 2 favorites".
  private var sentence: Text {
    let read = Text(decimal: read) + " of " + Text(decimal: count) + " read"
    guard favorites > 0 else { return read }
    return read + ", " + Text(decimal: favorites) + (favorites == 1 ? " favorite" : " favorites")
  }

  var html: HTML {
    li {
      a(.href(.overview(.init(year: year)))) {
        strong { Text(decimal: year) }
        span(.class("aside")) { ": " }
        span(.class("count")) { sentence }
        span(.class("squares"), Attribute("aria-hidden", "true")) { squares }
      }
    }
  }
}
