// Longbox
// SPDX-License-Identifier: MIT

package import LongboxCore

struct SearchPage {
  /// The number of results per page.
  static let pageLength = 25
  /// The number of results of the deep search below those of titles.
  static let mostInTexts = 5

  /// Where the explanations are that a deep search looks at.
  enum Explanations {
    /// Here: they were searched, or this search doesn't look at them.
    case searched
    /// On the server: a script asks for what it finds.
    case onServer
    /// Not on this device, which can't ask a server now.
    case missing
  }

  let search: Link.Search
  /// The results; nil if nothing was searched, or this host can't search.
  let results: SearchResults?
  /// The found albums, if the search is for albums.
  var albums: [SavedAlbum]?
  let archive: Archive
  var hasFavorites = false
  /// The `is:` filters in the search that don't exist.
  var unknownFilters: [Text] = []
  /// The characters and topics in the search that no comic has.
  var unknownTopics: [Text] = []
  /// Whether the host has a feed of the results.
  var hasFeed = false
  var explanations = Explanations.searched
  var site = Site()

  private var isDeep: Bool { search.isDeep == true }
}

#if !hasFeature(Embedded)
extension SearchPage {
  var feed: ((FeedFormat) -> Link)? {
    guard hasFeed, !search.text.isEmpty else { return nil }
    return { .feed($0, of: search.text, isDeep: isDeep) }
  }
}
#endif

extension SearchPage: Page {
  var title: Text { search.text.isEmpty ? "Search" : "Search: " + search.text }
  var kind: Text { "search-page" }
  var tab: Tab? { .search }
  var canonical: Link? { .search(search) }

  var heading: HTML {
    h1 { "Search" }
  }

  @HTMLBuilder var content: HTML {
    LibraryStyle.html
    div(.class("search")) {
      box
      div(
        .id("found"),
        results.map { Attribute("data-total", $0.inTexts?.totalOfDeepSearch ?? $0.total) } ?? .none,
        isLacking(.onServer) ? Attribute("data-lacks", "explanations") : .none
      ) {
        foundAlbums
        if search.text.isEmpty {
          help
        } else if let results {
          found(results)
        } else if albums == nil {
          p(.class("note"), .role("alert")) {
            "Search isn’t ready on this device yet. It will be when you are back online."
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
      .action(.search(.init())),
      Attribute("method", "get")
    ) {
      div(.class("field")) {
        SearchField(
          name: "q",
          label: "Search comics",
          text: search.text,
          placeholder: "Title, number or words"
        ).html
      }
      div(.class("found-line")) {
        p(.id("count"), .class("count-of"), .role("status")) { count }
        label(.class("switch")) {
          input(
            Attribute("type", "checkbox"),
            Attribute("name", "deep"),
            Attribute("value", "1"),
            isDeep ? Attribute("checked") : .none
          )
          span { "Deep search" }
        }
      }
      // Distinguishes an unchecked box from an address without the field.
      hidden("form", "1")
    }
  }

  private var help: HTML {
    div(.class("message help")) {
      h2 { "Try" }
      p {
        "Search looks for titles and numbers, and below them shows what else has the words. Deep search also looks at "
        "alt texts, transcripts and explanations, as one list: type what you remember of a comic."
      }
      dl(.class("examples")) {
        dt { a(.href(.search(.init(text: "353", isDeep: false)))) { "353" } }
        dd { "a comic by its number; 420-425 for several" }
        dt { a(.href(.search(.init(text: "2012-12", isDeep: true)))) { "2012-12" } }
        dd { "a year, a month or a day" }
        dt { a(.href(.search(.init(text: "\"bobby tables\"", isDeep: true)))) { "\"bobby tables\"" } }
        dd { "these words in this order" }
        dt { a(.href(.search(.init(text: "python -perl", isDeep: true)))) { "python -perl" } }
        dd { "one word without the other; OR between two means either" }
        dt {
          a(.href(.search(.init(text: "with:\"Black Hat\" about:math", isDeep: true)))) {
            "with:\"Black Hat\" about:math"
          }
        }
        dd {
          "with this character, and about this "
          a(.href(.topics)) { "topic" }
        }
        dt { a(.href(.search(.init(text: "is:favorite", isDeep: true)))) { "is:favorite" } }
        dd {
          "also is:unread, is:read and is:interactive"
          if !site.isStaticCopy { "; is:album for your saved albums" }
        }
      }
    }
  }

  private var foundAlbums: HTML {
    albums.map { SavedAlbumList(albums: $0, back: .search(search)).html } ?? HTML()
  }

  /// Names the filters that don't exist, and those that do.
  @HTMLBuilder private var hint: HTML {
    if !unknownFilters.isEmpty {
      p(.class("note hint-filters")) {
        for (place, filter) in unknownFilters.enumerated() {
          if place > 0 { ", " }
          strong { filter }
        }
        unknownFilters.count == 1 ? " is no filter. Use " : " are no filters. Use "
        for (place, filter) in SearchFilters.names(on: site).enumerated() {
          if place > 0 { place == SearchFilters.names(on: site).count - 1 ? " or " : ", " }
          a(.href(.search(.init(text: filter, isDeep: search.isDeep)))) { filter }
        }
        "."
      }
    }
  }

  @HTMLBuilder private func found(_ results: SearchResults) -> HTML {
    hint
    for name in unknownTopics {
      p(.class("note")) {
        "No comic has the topic "
        strong { name }
        ". Choose one of "
        a(.href(.topics)) { "all topics" }
        "."
      }
    }
    if results.isEmpty { Drawing.boxAndMagnifier.html }
    if search.text.asksForMissingNumber {
      p(.class("note")) {
        "There is no comic with the number 404, "
        a(.href(.missingNumber)) { "and that is no mistake" }
        "."
      }
    }
    if !results.hits.isEmpty {
      ol(.class("results"), .label("Results"), Attribute("start", search.offset + 1)) {
        for hit in results.hits { card(hit, of: search, isByDate: results.isByDate) }
      }
    }
    further(results.total)
    if let texts = results.inTexts, texts.hasMore(than: results) { inTexts(texts, results) }
    // Below the results, since these may include what is meant.
    if let meant = results.didYouMean, !results.showsMeant {
      p(.class("meant")) {
        "Did you mean "
        a(.href(.search(.init(text: meant, isDeep: search.isDeep)))) { meant }
        "?"
      }
    }
    if results.isEmpty {
      p(.class("meant")) {
        if let bare = results.withoutQuotes {
          "No comic has these words in this order. Search without quotes: "
          a(.href(.search(.init(text: bare, isDeep: search.isDeep)))) { bare }
        } else {
          "Try fewer words or another spelling."
        }
      }
    }
    if isLacking(.missing) {
      p(.class("note lacking")) {
        "Only titles, alt texts and transcripts are on this device. "
        a(.href(.local(Link.settings.address + "#offline-title"))) { "Download explanations" }
        " to search them offline, too."
      }
    }
    feedLink
  }

  /// Whether the search is one of texts, and the explanations are elsewhere.
  private func isLacking(_ place: Explanations) -> Bool {
    guard explanations == place, let results, !results.isByDate else { return false }
    return isDeep || results.inTexts != nil
  }

  /// The first results of the deep search that are not in titles.
  private func inTexts(_ texts: SearchResults.InTexts, _ results: SearchResults) -> HTML {
    section(.class("in-texts"), Attribute("aria-labelledby", "in-texts")) {
      h2(.id("in-texts")) { "In the texts" }
      if results.total == 0, results.showsMeant, let meant = results.didYouMean {
        p(.class("count-of")) { "For " + meant }
      }
      if !texts.hits.isEmpty {
        ol(.class("results"), .label("In the texts")) {
          for hit in texts.hits {
            card(hit, of: .init(text: search.text, isDeep: true), isByDate: results.isByDate)
          }
        }
      }
      nav(.class("links"), .label("All results")) {
        if texts.totalOfDeepSearch > results.total + texts.hits.count {
          a(.class("button"), .href(.search(.init(text: search.text, isDeep: true)))) {
            "Show all " + Text(grouped: texts.totalOfDeepSearch)
          }
        }
      }
    }
  }

  /// The number of results, announced by screen readers.
  private var count: Text {
    if let albums {
      return albums.isEmpty
        ? "No saved album matches."
        : counted(albums.count, "album", "albums")
    }
    guard let results, !search.text.isEmpty else { return .empty }
    return switch results.total {
    case 0 where search.text == "is:favorite" && !hasFavorites: "You have no favorites yet."
    // Short, so that it fits beside the tick.
    case 0 where isDeep || results.isEmpty: "No comics."
    case 0: "Not in titles."
    default: counted(results.total, "comic", "comics") + meant(by: results)
    }
  }

  /// The words that the comics have in place of misspelled ones.
  private func meant(by results: SearchResults) -> Text {
    guard results.showsMeant, let meant = results.didYouMean else { return .empty }
    return " for " + meant
  }

  @HTMLBuilder private func further(_ total: Int) -> HTML {
    nav(.class("links"), .label("More results")) {
      if search.offset > 0 {
        let start = max(0, search.offset - Self.pageLength)
        a(.href(.search(.init(text: search.text, isDeep: search.isDeep, offset: start)))) {
          "Earlier results"
        }
        " "
      }
      let next = search.offset + Self.pageLength
      if next < total {
        a(.href(.search(.init(text: search.text, isDeep: search.isDeep, offset: next)))) { "More results" }
      }
    }
  }

  private var feedLink: HTML {
    #if hasFeature(Embedded)
    HTML()
    #else
    feed.map { feed in p(.class("links")) { a(.href(feed(.atom))) { "Feed of this search" } } } ?? HTML()
    #endif
  }

  @HTMLBuilder private func card(_ hit: SearchHit, of search: Link.Search, isByDate: Bool) -> HTML {
    if let comic = archive.comic(hit.number) {
      li {
        a(.class("card"), .href(.comic(comic.number, in: ReadingList(search)))) {
          Cover(comic: comic.number, facts: site.thumbnail(of: comic, in: archive)).html
          span(.class("caption")) {
            span(.class("number")) { "#" + Text(decimal: comic.number.value) }
            " "
            bdi { MarkedText(text: comic.title, marks: hit.titleMarks).html }
          }
        }
        if isByDate, let date = comic.date {
          p(.class("snippet")) { time(Attribute("datetime", date.iso8601)) { date.spelled } }
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

extension SearchResults {
  /// Whether there is nothing to show, neither in titles nor in texts.
  fileprivate var isEmpty: Bool { total == 0 && inTexts?.totalOfDeepSearch ?? 0 == 0 }
}

extension SearchResults.InTexts {
  fileprivate func hasMore(than titles: SearchResults) -> Bool {
    !hits.isEmpty || totalOfDeepSearch > titles.total
  }
}

extension Text {
  fileprivate var asksForMissingNumber: Bool { self == "404" || namedComic == 404 }
}

/// A text with highlighted search terms.
package struct MarkedText {
  let text: Text
  /// The byte ranges to highlight, ascending and disjoint; invalid ones are skipped.
  let marks: [Range<Int>]

  package init(text: Text, marks: [Range<Int>]) {
    self.text = text
    self.marks = marks
  }

  @HTMLBuilder var html: HTML {
    for piece in pieces {
      if piece.isMarked {
        mark { piece.text }
      } else {
        piece.text
      }
    }
  }

  /// A part of the text.
  package struct Piece {
    package var text: Text
    /// Whether it is highlighted.
    package var isMarked: Bool
  }

  /// The text, split at the highlights.
  package var pieces: [Piece] {
    var pieces: [Piece] = []
    var end = 0
    for mark in marks where mark.lowerBound >= end && mark.upperBound <= text.count && !mark.isEmpty {
      if mark.lowerBound > end { pieces.append(Piece(text: slice(end..<mark.lowerBound), isMarked: false)) }
      pieces.append(Piece(text: slice(mark), isMarked: true))
      end = mark.upperBound
    }
    if end < text.count { pieces.append(Piece(text: slice(end..<text.count), isMarked: false)) }
    return pieces
  }

  private func slice(_ range: Range<Int>) -> Text {
    let start = text.bytes.startIndex
    return Text(text.bytes[start + range.lowerBound..<start + range.upperBound])
  }
}
