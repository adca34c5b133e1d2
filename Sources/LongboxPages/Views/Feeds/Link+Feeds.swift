// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

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

  /// The catalog's search results as a template.
  /// - Parameter words: a placeholder such as `{searchTerms}`; it is not encoded.
  public static func catalogueSearch(template words: Text) -> Link { .local("/opds/search?q=" + words) }

  /// The catalog's results of a search.
  public static func catalogueSearch(_ words: Text) -> Link {
    catalogueSearch(template: FormEncoding.encode(words))
  }

  /// The catalog's search description.
  public static var catalogueSearchDescription: Link { .local("/opds/search.xml") }

  /// A comic as a comic book of one page.
  public static func comicBook(_ comic: Comic.Number) -> Link {
    .local("/" + Text(decimal: comic.value) + "/comic.cbz")
  }
}
