// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

// The addresses of what is read by feed readers and comic reader apps. They are none of the cases of `Link`, since only a
// server makes them.
extension Link {
  /// Where a form makes an address for the feed of a reader's favourites, or takes it back.
  public static var favoritesFeeds: Link { .local("/feeds/favorites") }

  /// The feed of new comics.
  public static func feed(_ format: FeedFormat) -> Link { .local("/feed" + format.ending) }

  /// The feed of what a search finds, the newest first.
  public static func feed(_ format: FeedFormat, of search: Text, isDeep: Bool = true) -> Link {
    .local("/feed" + format.ending + "?q=" + FormEncoding.encode(search) + (isDeep ? "" : "&deep=0"))
  }

  /// The feed of a reader's favourites.
  public static func favoritesFeed(_ format: FeedFormat, token: Text) -> Link {
    .local("/feeds/" + token + format.ending)
  }

  /// The feed that brings all comics once more from one on, some a day.
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

  /// The catalogue for comic reader apps.
  public static var catalogue: Link { .local("/opds") }

  /// The newest comics in the catalogue.
  public static var catalogueOfLatest: Link { .local("/opds/latest") }

  /// The years in the catalogue.
  public static var catalogueOfYears: Link { .local("/opds/years") }

  /// A year's comics in the catalogue.
  public static func catalogue(ofYear year: Int) -> Link { .local("/opds/years/" + Text(decimal: year)) }

  /// What a search finds, as a part of the catalogue.
  /// - Parameter words: what stands for the words in a template, such as `{searchTerms}`; it is not encoded.
  public static func catalogueSearch(template words: Text) -> Link { .local("/opds/search?q=" + words) }

  /// What a search finds, as a part of the catalogue.
  public static func catalogueSearch(_ words: Text) -> Link {
    catalogueSearch(template: FormEncoding.encode(words))
  }

  /// How the catalogue is searched.
  public static var catalogueSearchDescription: Link { .local("/opds/search.xml") }

  /// A comic as a comic book of one page.
  public static func comicBook(_ comic: Comic.Number) -> Link {
    .local("/" + Text(decimal: comic.value) + "/comic.cbz")
  }
}
