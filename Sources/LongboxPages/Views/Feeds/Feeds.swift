// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

public enum FeedFormat: Equatable, Sendable, CaseIterable {
  /// Atom (RFC 4287).
  case atom
  /// JSON Feed 1.1 (https://www.jsonfeed.org/version/1.1/).
  case json

  /// The end of such a feed's path.
  public var ending: Text {
    switch self {
    case .atom: ".atom"
    case .json: ".json"
    }
  }

  /// The name for readers.
  public var name: Text {
    switch self {
    case .atom: "Atom"
    case .json: "JSON Feed"
    }
  }
}

// The addresses of feeds and the OPDS catalog. They aren't cases of `Link`, because only servers use them.
extension Link {
  /// The form that makes or revokes the address of a favorites feed.
  public static var favoritesFeeds: Link { .local("/feeds/favorites") }

  /// The feed of new comics.
  public static func feed(_ format: FeedFormat) -> Link { .local("/feed" + format.ending) }

  /// The feed of a search's results, newest first.
  public static func feed(_ format: FeedFormat, of search: Text, isDeep: Bool = true) -> Link {
    .local("/feed" + format.ending + "?q=" + FormEncoding.encode(search) + (isDeep ? "" : "&deep=0"))
  }

  /// The feed of a reader's favorites.
  public static func favoritesFeed(_ format: FeedFormat, token: Text) -> Link {
    .local("/feeds/" + token + format.ending)
  }

  /// The feed that repeats all comics from one on, a number per day.
  public static func rerun(
    _ format: FeedFormat,
    from first: Comic.Number,
    start: CalendarDate,
    perDay: Int = 1
  ) -> Link {
    .local(
      "/feeds/rerun/" + Text(decimal: first.value) + "/" + start.iso8601 + format.ending
        + (perDay == 1 ? "" : "?per-day=" + Text(decimal: perDay))
    )
  }

  /// The catalog for comic reader apps.
  public static var catalogue: Link { .local("/opds") }

  /// The newest comics in the catalog.
  public static var catalogueOfLatest: Link { .local("/opds/latest") }

  /// The years in the catalog.
  public static var catalogueOfYears: Link { .local("/opds/years") }

  /// A year's comics in the catalog.
  public static func catalogue(ofYear year: Int) -> Link { .local("/opds/years/" + Text(decimal: year)) }

  /// The characters and topics in the catalog.
  public static var catalogueOfTopics: Link { .local("/opds/topics") }

  /// The comics of a character or topic in the catalog.
  public static func catalogue(ofTopic key: Text) -> Link { .local("/opds/topics/" + key) }

  /// A reader's own part of the catalog, by the secret token of their feed.
  public static func catalogue(ofReader token: Text) -> Link { .local("/feeds/" + token + "/opds") }

  /// A reader's favorites in the catalog.
  public static func catalogueOfFavorites(ofReader token: Text) -> Link {
    .local("/feeds/" + token + "/opds/favorites")
  }

  /// A reader's unread comics in the catalog.
  public static func catalogueOfUnread(ofReader token: Text) -> Link {
    .local("/feeds/" + token + "/opds/unread")
  }

  /// A year's comics as one comic book.
  public static func comicBook(ofYear year: Int) -> Link {
    .local("/opds/years/" + Text(decimal: year) + ".cbz")
  }

  /// A reader's favorites as one comic book, or as several.
  public static func comicBookOfFavorites(ofReader token: Text) -> Link {
    .local("/feeds/" + token + "/opds/favorites.cbz")
  }

  private static func catalogueSearch(template words: Text) -> Link { .local("/opds/search?q=" + words) }

  /// The catalog's results of a search.
  public static func catalogueSearch(_ words: Text) -> Link {
    catalogueSearch(template: FormEncoding.encode(words))
  }

  /// The catalog's search results, with the placeholder of OpenSearch.
  public static var catalogueSearchTemplate: Link { catalogueSearch(template: "{searchTerms}") }

  /// The catalog's search description.
  public static var catalogueSearchDescription: Link { .local("/opds/search.xml") }

  /// A comic as a comic book of one page.
  public static func comicBook(_ comic: Comic.Number) -> Link {
    .local("/" + Text(decimal: comic.value) + "/comic.cbz")
  }
}

/// A comic in a feed: picture, and all texts in elements, because feed readers drop attributes.
public struct FeedContent: Equatable, Sendable {
  private let page: ComicPage
  private let origin: Text

  /// Makes the content; `origin` is the server's scheme, host and port, for absolute addresses.
  public init(_ comic: ArchivedComic, in archive: Archive, origin: Text) {
    page = ComicPage(comic, in: archive)
    self.origin = origin
  }

  /// The title with the number: "#353 Python".
  public var title: Text { page.title }

  /// The picture's address; nil if the comic has none.
  public var picture: Text? {
    switch page.picture {
    case .known(let facts): address(.picture(page.number, doubleSize: false, version: facts.versionText))
    case .unknown: address(.picture(page.number, doubleSize: false, version: .empty))
    case .none, .wrong: nil
    }
  }

  /// The facts of the picture; nil if unknown.
  public var pictureFacts: PictureFacts? {
    if case .known(let facts) = page.picture { facts } else { nil }
  }

  /// The content as HTML without a style sheet.
  public var html: HTML { body }

  @HTMLBuilder private var body: HTML {
    pictureHTML
    if !page.alt.isEmpty { p { bdi { page.alt } } }
    if page.isInteractive, !page.isSample {
      p {
        "This comic is interactive: there is more to it than a picture can show. "
        a(.href(page.original)) { "Open it on xkcd.com" }
      }
    }
    if !page.news.isEmpty { p { for run in page.news.runs { said(run) } } }
    if !page.transcript.isEmpty {
      h2 { "Transcript" }
      for line in page.transcript { line.html }
    }
    p { credits }
  }

  @HTMLBuilder private var pictureHTML: HTML {
    if let picture {
      p {
        a(.href(.external(address(.comic(page.number))))) {
          HTML(void: "img", [.src(.external(picture)), .alt(page.pictureName)] + size)
        }
      }
    } else {
      p { "This comic only works on xkcd.com." }
    }
  }

  private var size: [Attribute] {
    guard let facts = pictureFacts else { return [] }
    return [Attribute("width", facts.width), Attribute("height", facts.height)]
  }

  @HTMLBuilder private var credits: HTML {
    if page.isSample {
      "A sample drawn for Longbox. The real comics are by Randall Munroe, on xkcd.com."
    } else {
      a(.href(page.original)) { "xkcd " + Text(decimal: page.number.value) }
      " by Randall Munroe, "
      a(.href(.xkcdLicence), Attribute("rel", "license")) { "CC BY-NC 2.5" }
      if !page.transcript.isEmpty, !ComicRules.trustsTranscript(of: page.number) {
        ". Transcript from "
        a(.href(.explainXkcd(page.number))) { "explain xkcd" }
        ", "
        a(.href(.explainLicence), Attribute("rel", "license")) { "CC BY-SA 3.0" }
      }
    }
  }

  @HTMLBuilder private func said(_ run: News.Run) -> HTML {
    if run.address.isEmpty {
      run.words
    } else if run.address.bytes.first == UInt8(ascii: "/") {
      a(.href(.external(origin + run.address))) { run.words }
    } else {
      a(.href(.external(run.address))) { run.words }
    }
  }

  private func address(_ link: Link) -> Text { origin + link.address }
}
