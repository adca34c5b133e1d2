// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import LongboxPages

/// What an address of a feed or of the catalogue asks for.
enum FeedRoute: Equatable {
  /// A part of the catalogue for comic reader apps (OPDS 1.2).
  enum Catalogue: Equatable {
    /// Where it begins.
    case root
    /// The newest comics.
    case latest
    /// The years.
    case years
    /// A year's comics, by what stands where the year should.
    case year(String)
    /// What a search finds.
    case search
    /// How it is searched (OpenSearch 1.1).
    case searchDescription
  }

  /// The page about feeds.
  case page
  /// Where a form makes an address for favourites, or takes it back.
  case favoritesForm
  /// New comics, or what a search finds.
  case comics(FeedFormat)
  /// A reader's favourites, by the unguessable part of the address.
  case favorites(String, FeedFormat)
  /// All comics once more, by what stands where the first number and the day should.
  case rerun(String, String, FeedFormat)
  /// The catalogue.
  case catalogue(Catalogue)
  /// A comic as a comic book, by what stands where its number should.
  case comicBook(String)
  /// Nothing that there is.
  case unknown

  /// Reads the parts of a path; nothing where it is no address of a feed.
  init?(_ parts: [String]) {
    switch parts.first {
    case "feed.atom" where parts.count == 1: self = .comics(.atom)
    case "feed.json" where parts.count == 1: self = .comics(.json)
    case "feeds": self = Self.feed(Array(parts.dropFirst()))
    case "opds": self = Self.catalogue(Array(parts.dropFirst()))
    case let number? where parts.count == 2 && parts[1] == "comic.cbz": self = .comicBook(number)
    default: return nil
    }
  }

  private static func feed(_ parts: [String]) -> FeedRoute {
    switch parts.count {
    case 0: return .page
    case 1 where parts[0] == "favorites": return .favoritesForm
    case 1:
      guard let (token, format) = split(parts[0]) else { return .unknown }
      return .favorites(token, format)
    case 3 where parts[0] == "rerun":
      guard let (start, format) = split(parts[2]) else { return .unknown }
      return .rerun(parts[1], start, format)
    default: return .unknown
    }
  }

  private static func catalogue(_ parts: [String]) -> FeedRoute {
    switch (parts.count, parts.first) {
    case (0, _): .catalogue(.root)
    case (1, "latest"): .catalogue(.latest)
    case (1, "years"): .catalogue(.years)
    case (2, "years"): .catalogue(.year(parts[1]))
    case (1, "search"): .catalogue(.search)
    case (1, "search.xml"): .catalogue(.searchDescription)
    default: .unknown
    }
  }

  /// What stands before the ending of a name, and the format that the ending means.
  private static func split(_ name: String) -> (String, FeedFormat)? {
    for format in FeedFormat.allCases where name.hasSuffix(format.ending.description) {
      return (String(name.dropLast(format.ending.count)), format)
    }
    return nil
  }
}
