// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

struct SearchPage {
  /// The number of results per page.
  static let pageLength = 25

  let search: Link.Search
  /// The results; nil if nothing was searched, or this host can't search.
  let results: SearchResults?
  /// The found albums, if the search is for albums.
  var albums: [SavedAlbum]?
  let archive: Archive
  /// Whether the host has a feed of the results.
  var hasFeed = false
}

extension SearchPage {
  var feed: Link? {
    hasFeed && !search.text.isEmpty ? .feed(.atom, of: search.text, isDeep: search.isDeep) : nil
  }
}

extension SearchPage: Page {
  var title: Text { search.text.isEmpty ? "Search" : "Search: " + search.text }
  var kind: Text { "search-page" }
  var tab: Tab? { .search }
  var canonical: Link? { .search(search) }

  var heading: HTML {
    h1 { "Search" }
  }

  var content: HTML {
    div(.class("search")) {
      box
      p(.id("count"), .class("count-of"), .role("status")) { count }
      div(.id("found")) {
        foundAlbums
        if search.text.isEmpty {
          help
        } else if let results {
          found(results)
        } else if albums == nil {
          p(.class("note"), .role("alert")) {
            "Searching is not ready on this device yet. It will be when you are back online."
          }
        }
      }
    }
  }
}

extension SearchPage {
  private var box: HTML {
    form(
      .class("search-box"),
      .role("search"),
      Attribute("action", Link.search(.init()).address),
      Attribute("method", "get")
    ) {
      label(Attribute("for", "q")) { "Search comics" }
      div(.class("field")) {
        input(
          .id("q"),
          Attribute("name", "q"),
          Attribute("type", "search"),
          Attribute("autocomplete", "off"),
          Attribute("autocapitalize", "off"),
          Attribute("spellcheck", "false"),
          Attribute("enterkeyhint", "search"),
          Attribute("maxlength", 200),
          Attribute("value", search.text)
        )
        button(.class("button"), Attribute("type", "submit")) { "Search" }
      }
      label(.class("switch")) {
        input(
          Attribute("type", "checkbox"),
          Attribute("name", "deep"),
          Attribute("value", "1"),
          search.isDeep ? Attribute("checked") : .none
        )
        span { "Deep search" }
      }
      // Distinguishes an unchecked box from an address without the field.
      input(Attribute("type", "hidden"), Attribute("name", "form"), Attribute("value", "1"))
    }
  }

  private var help: HTML {
    div(.class("message")) {
      HTML(
        trusted: """
          <svg class="drawing" viewBox="0 0 320 180" aria-hidden="true" focusable="false">\
          <path d="M30 62h150v92H30zM30 62l14-24h122l14 24M62 62V38M94 62V38M126 62V38M148 62V38"/>\
          <path class="mark" d="M232 62a34 34 0 1 0 .01 0zM256 122l34 34"/></svg>
          """
      )
      p {
        "By default titles and numbers are searched. Deep search looks into the alt texts, transcripts and explanations, "
        "too: type what you remember of a comic."
      }
      dl(.class("examples")) {
        dt { a(.href(.search(.init(text: "353")))) { "353" } }
        dd { "a comic by its number; 420-425 for several" }
        dt { a(.href(.search(.init(text: "2012-12", isDeep: true)))) { "2012-12" } }
        dd { "a year, a month or a day" }
        dt { a(.href(.search(.init(text: "\"bobby tables\"", isDeep: true)))) { "\"bobby tables\"" } }
        dd { "these words in this order" }
        dt { a(.href(.search(.init(text: "python -perl", isDeep: true)))) { "python -perl" } }
        dd { "one word without the other; OR between two means either" }
        dt { a(.href(.search(.init(text: "is:favorite", isDeep: true)))) { "is:favorite" } }
        dd { "also is:unread, is:read and is:interactive; is:album for the albums that you saved" }
      }
    }
  }

  private var foundAlbums: HTML {
    albums.map { SavedAlbumList(albums: $0, back: .search(search)).html } ?? HTML()
  }

  @HTMLBuilder private func found(_ results: SearchResults) -> HTML {
    if let meant = results.didYouMean {
      p(.class("meant")) {
        "Did you mean "
        a(.href(.search(.init(text: meant, isDeep: search.isDeep)))) { meant }
        "?"
      }
    }
    if search.text.asksForMissingNumber {
      p(.class("note")) {
        "There is no comic with the number 404, "
        a(.href(.missingNumber)) { "and that is no mistake" }
        "."
      }
    }
    if !results.hits.isEmpty {
      ol(.class("cards results"), .label("Results"), Attribute("start", search.offset + 1)) {
        for hit in results.hits { card(hit) }
      }
    }
    further(results.total)
  }

  /// The number of results, announced by screen readers.
  private var count: Text {
    if let albums {
      return albums.isEmpty
        ? "No album that you saved."
        : Text(decimal: albums.count) + (albums.count == 1 ? " album" : " albums")
    }
    guard let results, !search.text.isEmpty else { return .empty }
    return switch results.total {
    case 0 where search.isDeep: "No comics. Fewer words, or another spelling, may find some."
    case 0: "No comics with this title or number."
    case 1: "1 comic"
    default: Text(grouped: results.total) + " comics"
    }
  }

  @HTMLBuilder private func further(_ total: Int) -> HTML {
    nav(.class("ways"), .label("More results")) {
      if search.offset > 0 {
        let start = max(0, search.offset - Self.pageLength)
        a(.href(.search(.init(text: search.text, isDeep: search.isDeep, offset: start)))) {
          "Earlier results"
        }
      }
      let next = search.offset + Self.pageLength
      if next < total {
        a(.href(.search(.init(text: search.text, isDeep: search.isDeep, offset: next)))) { "More results" }
      }
      if !search.isDeep {
        a(.href(.search(.init(text: search.text, isDeep: true)))) { "Search alt texts and transcripts, too" }
      }
      feedLink
    }
  }

  private var feedLink: HTML {
    feed.map { feed in a(.href(feed)) { "Feed of this search" } } ?? HTML()
  }

  @HTMLBuilder private func card(_ hit: SearchHit) -> HTML {
    if let comic = archive.comic(hit.number) {
      li {
        a(.class("card"), .href(.comic(comic.number))) {
          span(.class("thumbnail")) {
            if let facts = comic.picture { Thumbnail(comic: comic.number, facts: facts).html }
          }
          span {
            span(.class("number")) { "#" + Text(decimal: comic.number.value) }
            " "
            bdi { MarkedText(text: comic.title, marks: hit.titleMarks).html }
          }
        }
        if !hit.snippet.isEmpty {
          p(.class("snippet")) {
            span(.class("field-name")) { hit.snippetField.name }
            " "
            bdi {
              if hit.isCutBefore { "… " }
              MarkedText(text: hit.snippet, marks: hit.marks).html
              if hit.isCutAfter { " …" }
            }
          }
        } else if hit.field == .explanation {
          // The search index has explanations, but this one's text isn't loaded.
          p(.class("snippet")) { "In the explanation" }
        }
      }
    }
  }
}

extension SearchHit.Field {
  fileprivate var name: Text {
    switch self {
    case .title: "Title:"
    case .alt: "Alt text:"
    case .transcript: "Transcript:"
    case .explanation: "Explanation:"
    }
  }
}

extension Text {
  fileprivate var asksForMissingNumber: Bool { self == "404" || self == "#404" }
}
