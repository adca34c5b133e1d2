// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// All comics by year, newest first: as covers, as lines, or as a map of read comics.
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
  let marks: ReadMarks?
  let library: Library
  private let place: ArchivedComic?
  private let today: CalendarDate?
  /// Whether this host knows which pictures the device has.
  private let knowsDownloads: Bool
  private let site: Site
  /// The list that a comic is opened in; nil for all comics, and in a file, which can't know it.
  private let list: ReadingList?
  private let archive: Archive

  init(
    _ overview: Link.Overview,
    archive: Archive,
    context: PageContext,
    reader: Reader = .stranger,
    now: UInt64 = 0,
    stored: ComicSet? = nil
  ) {
    let marks = reader.isRemembered ? reader.library.readMarks : nil
    self.marks = marks
    library = reader.library
    place = reader.library.place.flatMap { archive.comic($0.comic) }
    today = CalendarDate(time: now)
    site = context.site
    list = context.isFile ? nil : ReadingList(overview)
    self.archive = archive
    knowsDownloads = stored != nil || context.isOffline
    var years: [Year] = []
    archive.visit { comic in
      if let day = overview.day, comic.date.map({ DayOfYear($0) }) != day { return true }
      switch overview.filter {
      case .all: break
      case .unread: if marks?.isRead(comic.number) == true { return true }
      case .favorites: if !reader.library.isFavorite(comic.number) { return true }
      case .downloaded: if stored?.contains(comic.number) != true { return true }
      }
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
    if overview.view == .map { return "Progress" }
    guard let year = overview.year else { return "All comics" }
    return "Comics of " + Text(decimal: year)
  }
  var kind: Text { "overview-page list-page" }
  var tab: Tab? { .comics }
  var canonical: Link? { .overview(overview) }

  @HTMLBuilder var heading: HTML {
    h1 { title }
    div(.class("bar-links")) {
      nav(.class("views"), .label("View")) {
        view("Grid", .grid, other(view: .grid))
        " "
        view("List", .list, other(view: .list))
        " "
        view("Map", .map, .init(view: .map))
      }
      if overview.day == nil {
        a(.class("button"), .href(.onThisDay), .title("On this day")) {
          Icon.calendar.html
          span { "On this day" }
        }
      }
    }
  }

  @HTMLBuilder var content: HTML {
    LibraryStyle.html
    div(.class(overview.view == .map ? "overview" : Self.listClass(of: shown))) {
      fillNote
      if overview.view == .map {
        OverviewMap(page: self).html
      } else {
        if overview.day == nil { choices } else { days }
        if years.isEmpty { p(.class("note")) { nothing } }
        comics
      }
    }
  }
}

extension OverviewPage {
  /// The class of a list by year: a long one leaves room for the handle that scrolls through it (overview.js).
  /// - Parameter count: the number of its comics.
  static func listClass(of count: Int) -> Text { count > 60 ? "overview scrubs" : "overview" }

  /// The number of comics in this list.
  private var shown: Int { years.reduce(0) { $0 + $1.comics.count } }

  private var nothing: Text {
    if count == 0 { return MessagePage.nothingYet.problem }
    if overview.day != nil { return "No comic came out on this day so far." }
    return switch overview.filter {
    case .favorites: "No favorites yet."
    case .downloaded:
      "Nothing is downloaded yet. Comics you open are kept for offline, and Settings can download more."
    case .all, .unread: "You have read all of these."
    }
  }

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
          span(.class("count")) { size(of: year) }
        }
        if overview.view == .grid {
          ul(.class("covers"), Attribute("data-count", year.comics.count)) {
            for comic in year.comics { tile(comic) }
          }
        } else {
          ul(.class("lines"), Attribute("data-count", year.comics.count)) {
            for comic in year.comics { line(comic) }
          }
        }
      }
    }
  }

  /// Such as "94 comics, 32 unread".
  private func size(of year: Year) -> Text {
    let count = counted(year.comics.count, "comic", "comics")
    guard let marks, overview.filter != .unread else { return count }
    let unread = year.comics.count { !marks.isRead($0.number) }
    return count + (unread == 0 ? ", all read" : ", " + Text(decimal: unread) + " unread")
  }

  @HTMLBuilder private var fillNote: HTML {
    if let progress, !progress.isComplete {
      p(.class("note")) {
        Text(grouped: progress.pictures) + " of " + Text(grouped: progress.total)
        progress.pictures == 1 ? " pictures is here." : " pictures are here."
        " More come by themselves, newest first."
      }
    }
  }

  // Choices

  private var choices: HTML {
    div(.class("choices")) {
      if let place {
        p(.class("resume")) {
          a(.class("button action"), .href(.resume)) {
            span {
              "Continue with #" + Text(decimal: place.number.value) + " "
              bdi { place.title }
            }
          }
        }
      } else if overview.year == nil, marks?.greatestRead == nil {
        ReadUpToForm(back: .overview(overview)).html
      }
      if marks != nil || knowsDownloads {
        nav(.class("chips filters"), .label("Comics to show")) {
          choice("All", filtered(.all))
          " "
          choice("Unread", filtered(.unread))
          " "
          choice("Favorites", filtered(.favorites))
          " "
          if knowsDownloads {
            choice("Downloaded", filtered(.downloaded))
            " "
          }
          a(.href(.randomUnread), .class("other"), Attribute("rel", "nofollow")) { "Random unread" }
          " "
          a(.href(.history), .class("other")) { "Recently viewed" }
        }
      }
      nav(.class("chips years"), .label("Years")) {
        choice("All years", .init(view: overview.view, filter: overview.filter))
        for year in allYears {
          " "
          choice(Text(decimal: year), .init(view: overview.view, year: year, filter: overview.filter))
        }
      }
    }
  }

  /// The form for another day, and links to the days around this one.
  @HTMLBuilder private var days: HTML {
    if let day = overview.day {
      let shown = CalendarDate(year: today?.year ?? 2024, month: day.month, day: day.day)
      form(.class("field day"), .action(.onThisDay), Attribute("method", "get")) {
        label(.class("aside"), Attribute("for", "date")) { "Day" }
        input(
          .id("date"),
          Attribute("name", "date"),
          Attribute("type", "date"),
          Attribute("required"),
          shown.map { Attribute("value", $0.iso8601) } ?? .none
        )
        button(.class("button action"), Attribute("type", "submit")) { "Show day" }
      }
      ul(.class("links")) {
        li { a(.href(.overview(on(day.previous)))) { day.previous.spelled } }
        li { a(.href(.overview(on(day.next)))) { day.next.spelled } }
        li { a(.href(.overview(.init(view: overview.view)))) { "All comics" } }
      }
    }
  }

  private func on(_ day: DayOfYear) -> Link.Overview {
    var overview = overview
    overview.day = day
    return overview
  }

  private func filtered(_ filter: Link.Overview.Filter) -> Link.Overview {
    .init(view: overview.view, year: overview.year, filter: filter)
  }

  private func other(view: Link.Overview.View) -> Link.Overview {
    var overview = overview
    overview.view = view
    return overview
  }

  private func view(_ name: Text, _ view: Link.Overview.View, _ target: Link.Overview) -> HTML {
    let icon: Icon = view == .grid ? .grid : view == .list ? .list : .map
    return a(
      .class("button"),
      .href(.overview(target)),
      .title(name),
      view == overview.view ? Attribute("aria-current", "true") : .none
    ) {
      icon.html
      span { name }
    }
  }

  private func choice(_ name: Text, _ target: Link.Overview) -> HTML {
    a(.href(.overview(target)), target == overview ? Attribute("aria-current", "true") : .none) { name }
  }

  // Comics

  private func isUnread(_ comic: ArchivedComic) -> Bool { marks.map { !$0.isRead(comic.number) } ?? false }

  private func tile(_ comic: ArchivedComic) -> HTML {
    let facts = site.thumbnail(of: comic, in: archive)
    var tile = ComicTile(comic: comic.number, name: comic.title, facts: facts)
    tile.isUnread = isUnread(comic)
    tile.isFavorite = library.isFavorite(comic.number)
    tile.list = list
    return li(.id("c" + Text(decimal: comic.number.value)), kind(tile.isUnread, tile.isFavorite)) {
      tile.link
    }
  }

  private func line(_ comic: ArchivedComic) -> HTML {
    let (isUnread, isFavorite) = (isUnread(comic), library.isFavorite(comic.number))
    return li(.id("c" + Text(decimal: comic.number.value)), kind(isUnread, isFavorite)) {
      a(.href(.comic(comic.number, in: list))) {
        ComicLabel(comic: comic.number, name: comic.title, isUnread: isUnread, isFavorite: isFavorite).html
      }
      if let date = comic.date { time(Attribute("datetime", date.iso8601)) { date.spelled } }
    }
  }

  private func kind(_ isUnread: Bool, _ isFavorite: Bool) -> Attribute {
    switch (isUnread, isFavorite) {
    case (true, true): .class("unread favorite")
    case (true, false): .class("unread")
    case (false, true): .class("favorite")
    case (false, false): .none
    }
  }
}
