// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// All comics by year, the newest first, as small pictures or as lines.
struct OverviewPage {
  /// The comics of one year, the newest first.
  struct Year {
    var year: Int
    var comics: [ArchivedComic]
  }

  let overview: Link.Overview
  /// The years that are shown.
  let years: [Year]
  /// The years that there are, the newest first.
  let allYears: [Int]
  let count: Int
  let progress: Shelf.Progress?

  init(_ overview: Link.Overview, archive: Archive, shelf: Shelf) {
    var years: [Year] = []
    archive.visit { comic in
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
    self.progress = shelf.progress
  }
}

extension OverviewPage: Page {
  var title: Text {
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
      choices
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
  }
}

extension OverviewPage {
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
        choice("Grid", .init(view: .grid, year: overview.year))
        choice("List", .init(view: .list, year: overview.year))
      }
      nav(.class("years"), .label("Years")) {
        choice("All", .init(view: overview.view))
        for year in allYears { choice(Text(decimal: year), .init(view: overview.view, year: year)) }
      }
    }
  }

  private func choice(_ name: Text, _ target: Link.Overview) -> HTML {
    a(.href(.overview(target)), target == overview ? Attribute("aria-current", "true") : .none) { name }
  }

  private func card(_ comic: ArchivedComic) -> HTML {
    li {
      a(.href(.comic(comic.number))) {
        span(.class("thumbnail")) {
          if let facts = comic.picture {
            thumbnail(of: comic.number, facts)
          }
        }
        label(comic)
      }
    }
  }

  /// The small picture; its own size keeps its place until it has come.
  private func thumbnail(of number: Comic.Number, _ facts: PictureFacts) -> HTML {
    img(
      .src(.thumbnail(number, version: facts.versionText)),
      .alt(.empty),
      Attribute("loading", "lazy"),
      Attribute("decoding", "async"),
      Attribute("width", facts.width),
      Attribute("height", facts.height)
    )
  }

  private func line(_ comic: ArchivedComic) -> HTML {
    li {
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
