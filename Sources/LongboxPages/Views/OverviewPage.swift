// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// All comics by year, newest first: as thumbnails, as lines, or as a map of read comics.
struct OverviewPage {
  struct Year {
    var year: Int
    var comics: [ArchivedComic]
  }

  let overview: Link.Overview
  let years: [Year]
  /// All years, newest first.
  let allYears: [Int]
  let count: Int
  let progress: PageContext.Progress?
  /// The read comics, if the reader has a library.
  private let marks: ReadMarks?
  private let library: Library
  private let place: ArchivedComic?

  init(_ overview: Link.Overview, archive: Archive, context: PageContext, reader: Reader = .stranger) {
    let marks = reader.isRemembered ? reader.library.readMarks : nil
    self.marks = marks
    library = reader.library
    place = reader.library.place.flatMap { archive.comic($0.comic) }
    var years: [Year] = []
    archive.visit { comic in
      if let day = overview.day, comic.date.map({ DayOfYear($0) }) != day { return true }
      if overview.isUnreadOnly, marks?.isRead(comic.number) == true { return true }
      let year = comic.date?.year ?? 0
      if years.last?.year != year { years.append(Year(year: year, comics: [])) }
      years[years.count - 1].comics.append(comic)
      return true
    }
    years.reverse()
    for index in years.indices { years[index].comics.reverse() }
    self.overview = overview
    self.allYears = years.map { $0.year }
    self.years = years.filter { overview.year == nil || $0.year == overview.year }
    self.count = archive.count
    self.progress = context.progress
  }
}

extension OverviewPage: Page {
  var title: Text {
    if let day = overview.day { return "On this day: " + day.spelled }
    guard let year = overview.year else { return "All comics" }
    return "Comics of " + Text(decimal: year)
  }
  var kind: Text { "overview-page" }
  var tab: Tab? { .comics }
  var canonical: Link? { .overview(overview) }

  var heading: HTML {
    h1 { title }
  }

  var content: HTML {
    div(.class("overview")) {
      fillNote
      resume
      choices
      if years.isEmpty {
        p(.class("note")) {
          overview.day == nil ? "You have read all of these." : "No comic came out on this day so far."
        }
      }
      if overview.view == .map { map } else { comics }
    }
  }
}

extension OverviewPage {
  @HTMLBuilder private var comics: HTML {
    for year in years {
      section(
        .class("year"),
        .id("y" + Text(decimal: year.year)),
        .label("Comics of " + Text(decimal: year.year))
      ) {
        h2 {
          Text(decimal: year.year)
          " "
          span(.class("count")) { Text(grouped: year.comics.count) }
        }
        if overview.view == .grid {
          ul(.class("grid")) { for comic in year.comics { card(comic) } }
        } else {
          ul(.class("lines")) { for comic in year.comics { line(comic) } }
        }
      }
    }
  }

  @HTMLBuilder private var map: HTML {
    p(.class("key"), Attribute("aria-hidden", "true")) {
      for (kind, name) in [("", "to read"), ("r", "read"), ("f", "favorite")] as [(Text, Text)] {
        span {
          HTML(element: "i", kind.isEmpty ? [] : [.class(kind)], HTML())
          " " + name
        }
      }
    }
    ul(.class("map")) {
      for year in years { progress(in: year).html }
    }
  }

  private func progress(in year: Year) -> ProgressMap {
    var map = ProgressMap(of: year.year)
    for comic in year.comics.reversed() {
      map.add(isRead: marks?.isRead(comic.number) == true, isFavorite: library.isFavorite(comic.number))
    }
    return map
  }
}

extension OverviewPage {
  @HTMLBuilder private var resume: HTML {
    if let place {
      p(.class("note")) {
        a(.href(.resume)) {
          "Continue with #" + Text(decimal: place.number.value) + " "
          bdi { place.title }
        }
      }
    } else if overview.day == nil, overview.year == nil, marks?.isEmpty != false {
      div(.class("note")) { ReadUpToForm(back: .overview(overview)).html }
    }
  }

  @HTMLBuilder private var fillNote: HTML {
    if let progress, !progress.isComplete {
      p(.class("note")) {
        Text(grouped: progress.texts) + " of " + Text(grouped: progress.total) + " comics are stored, "
          + Text(grouped: progress.pictures) + " with their picture. The rest is being fetched, newest first."
      }
    }
  }

  private var choices: HTML {
    div(.class("choices")) {
      nav(.class("views"), .label("View")) {
        choice("Grid", other(view: .grid))
        choice("List", other(view: .list))
        choice("Map", .init(view: .map))
        a(.href(.onThisDay), overview.day != nil ? Attribute("aria-current", "true") : .none) {
          "On this day"
        }
      }
      if marks != nil, overview.view != .map, overview.day == nil {
        nav(.class("views"), .label("Read or not")) {
          choice("Any", .init(view: overview.view, year: overview.year))
          choice("Unread", .init(view: overview.view, year: overview.year, isUnreadOnly: true))
          a(.href(.randomUnread), Attribute("rel", "nofollow")) { "Random unread" }
        }
      }
      if overview.view != .map, overview.day == nil {
        nav(.class("years"), .label("Years")) {
          choice("All", .init(view: overview.view, isUnreadOnly: overview.isUnreadOnly))
          for year in allYears {
            choice(
              Text(decimal: year),
              .init(view: overview.view, year: year, isUnreadOnly: overview.isUnreadOnly)
            )
          }
        }
      }
    }
  }

  private func other(view: Link.Overview.View) -> Link.Overview {
    var overview = overview
    overview.view = view
    return overview
  }

  private func choice(_ name: Text, _ target: Link.Overview) -> HTML {
    a(.href(.overview(target)), target == overview ? Attribute("aria-current", "true") : .none) { name }
  }

  /// The class of an unread comic, for readers with a library.
  private func unread(_ comic: ArchivedComic) -> Attribute {
    marks.map { $0.isRead(comic.number) ? .none : .class("unread") } ?? .none
  }

  private func card(_ comic: ArchivedComic) -> HTML {
    li(unread(comic)) {
      a(.href(.comic(comic.number))) {
        span(.class("thumbnail")) {
          if let facts = comic.picture {
            Thumbnail(comic: comic.number, facts: facts).html
          }
        }
        label(comic)
      }
    }
  }

  private func line(_ comic: ArchivedComic) -> HTML {
    li(unread(comic)) {
      a(.href(.comic(comic.number))) { label(comic) }
      if let date = comic.date { time(Attribute("datetime", date.iso8601)) { date.spelled } }
    }
  }

  @HTMLBuilder private func label(_ comic: ArchivedComic) -> HTML {
    span(.class("number")) { "#" + Text(decimal: comic.number.value) }
    " "
    bdi { comic.title }
  }
}
