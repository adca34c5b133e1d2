// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// All characters, series and other topics, with the numbers of their comics.
struct TopicsPage {
  private let characters: [Archive.ListedTopic]
  private let series: [Archive.ListedTopic]
  private let subjects: [Archive.ListedTopic]
  private let isSample: Bool
  /// The key of a topic that no comic has, but somebody asked for.
  private let missing: Text?

  init(archive: Archive, missing: Text? = nil) {
    let topics = archive.topics
    let found = topics.filter { $0.topic.kind == .character }
    // The main characters first.
    characters = sortedIndices(found.count) { found[$0].count > found[$1].count }.map { found[$0] }
    series = topics.filter { $0.topic.kind == .subject && $0.isSeries }
    subjects = topics.filter { $0.topic.kind == .subject && !$0.isSeries }
    isSample = archive.isSampleBox
    self.missing = missing
  }
}

extension TopicsPage: Page {
  var title: Text { "Characters and topics" }
  var kind: Text { "topics-page list-page" }
  var tab: Tab? { .comics }
  var canonical: Link? { missing == nil ? .topics : nil }
  var back: BackLink? { BackLink(link: .overview(.init()), name: "Back to all comics") }

  @HTMLBuilder var content: HTML {
    LibraryStyle.html
    div(.class("topic-lists")) {
      if let missing {
        p(.class("note"), .role("alert")) {
          "No comic has the topic “"
          bdi { missing }
          "”. Choose one of these, or search for the word."
        }
      }
      if characters.isEmpty, series.isEmpty, subjects.isEmpty {
        p(.class("note")) {
          isSample
            ? "The sample comics have no topics."
            : "No topics yet. They come with the explanations, which are fetched in the background."
        }
      } else {
        list("Characters", id: "characters", characters)
        list("Series", id: "series", series)
        list("Topics", id: "subjects", subjects)
        p(.class("hint")) {
          "From "
          a(
            .href(.external("https://www.explainxkcd.com/wiki/index.php/Special:Categories")),
            Attribute("rel", "noopener noreferrer external")
          ) { "explain xkcd" }
          ", "
          a(.href(.explainLicence), Attribute("rel", "license")) { "CC BY-SA 3.0" }
        }
      }
    }
  }

  @HTMLBuilder private func list(_ name: Text, id: Text, _ topics: [Archive.ListedTopic]) -> HTML {
    if !topics.isEmpty {
      section(Attribute("aria-labelledby", id)) {
        h2(.id(id)) { name }
        ul(.class("topic-list")) {
          for topic in topics {
            li {
              a(.href(.topic(topic.key, isUnreadOnly: false))) { bdi { topic.topic.name } }
              " "
              span(.class("count")) {
                Text(grouped: topic.count)
                span(.class("aside")) { topic.count == 1 ? " comic" : " comics" }
              }
            }
          }
        }
      }
    }
  }
}

/// The comics with a character or another topic, newest first.
struct TopicPage {
  private struct Year {
    var year: Int
    var comics: [ArchivedComic]
  }

  private let topic: Archive.ListedTopic
  private let isUnreadOnly: Bool
  private let years: [Year]
  /// The read comics, if the reader has a library.
  private let marks: ReadMarks?
  private let library: Library
  private let archive: Archive
  private let site: Site
  /// The list that a comic is opened in; nil in a file, which can't know it.
  private let list: ReadingList?

  init(
    _ topic: Archive.ListedTopic,
    isUnreadOnly: Bool,
    archive: Archive,
    reader: Reader,
    context: PageContext
  ) {
    let marks = reader.isRemembered ? reader.library.readMarks : nil
    let having = archive.comics(about: topic.key)
    var years: [Year] = []
    archive.visit { comic in
      guard having.contains(comic.number) else { return true }
      if isUnreadOnly, marks?.isRead(comic.number) == true { return true }
      let year = comic.date?.year ?? 0
      if years.last?.year != year { years.append(Year(year: year, comics: [])) }
      years[years.count - 1].comics.append(comic)
      return true
    }
    years.reverse()
    for index in years.indices { years[index].comics.reverse() }
    self.topic = topic
    self.isUnreadOnly = isUnreadOnly
    self.years = years
    self.marks = marks
    library = reader.library
    self.archive = archive
    site = context.site
    list = context.isFile ? nil : .topic(topic.key, isUnreadOnly: isUnreadOnly)
  }
}

extension TopicPage: Page {
  var title: Text { topic.topic.name }
  var abstract: Text { counted(topic.count, "comic", "comics") + " with the topic " + topic.topic.name }
  var kind: Text { "topic-page list-page" }
  var tab: Tab? { .comics }
  var canonical: Link? { .topic(topic.key, isUnreadOnly: isUnreadOnly) }
  var back: BackLink? { BackLink(link: .topics, name: "Back to all topics") }

  var heading: HTML { h1 { bdi { title } } }

  @HTMLBuilder var content: HTML {
    LibraryStyle.html
    div(.class(OverviewPage.listClass(of: shown))) {
      div(.class("choices")) {
        p(.class("topic-size")) { size }
        if marks != nil {
          nav(.class("chips filters"), .label("Comics to show")) {
            choice("All", isUnreadOnly: false)
            " "
            choice("Unread", isUnreadOnly: true)
          }
        }
      }
      if years.isEmpty { p(.class("note")) { "You have read all of these." } }
      for year in years { covers(of: year) }
    }
  }

  /// Such as "94 comics, 32 unread".
  private var size: Text {
    let count = counted(topic.count, "comic", "comics")
    guard marks != nil, isUnreadOnly else { return count }
    return count + ", " + Text(grouped: shown) + " unread"
  }

  /// The number of comics in this list.
  private var shown: Int { years.reduce(0) { $0 + $1.comics.count } }

  private func choice(_ name: Text, isUnreadOnly: Bool) -> HTML {
    a(
      .href(.topic(topic.key, isUnreadOnly: isUnreadOnly)),
      isUnreadOnly == self.isUnreadOnly ? Attribute("aria-current", "true") : .none
    ) { name }
  }

  private func covers(of year: Year) -> HTML {
    let name = Text(decimal: year.year)
    return section(.class("year"), .id("y" + name), .label("Comics of " + name)) {
      h2 {
        name
        " "
        span(.class("count")) { counted(year.comics.count, "comic", "comics") }
      }
      ul(.class("covers"), Attribute("data-count", year.comics.count)) {
        for comic in year.comics { tile(comic) }
      }
    }
  }

  private func tile(_ comic: ArchivedComic) -> HTML {
    var tile = ComicTile(
      comic: comic.number,
      name: comic.title,
      facts: site.thumbnail(of: comic, in: archive)
    )
    tile.list = list
    tile.isUnread = marks.map { !$0.isRead(comic.number) } ?? false
    tile.isFavorite = library.isFavorite(comic.number)
    let kind: Text = (tile.isUnread ? "unread" : .empty) + (tile.isFavorite ? " favorite" : .empty)
    return li(.id("c" + Text(decimal: comic.number.value)), kind.isEmpty ? .none : .class(kind)) { tile.link }
  }
}
