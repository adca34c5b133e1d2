// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCatalog
import LongboxCore
import LongboxPages

extension Feed {
  struct Name {
    /// The name that the identifier is derived from, or the identifier itself if it is a URN.
    var id: String
    var title: String
    var subtitle: String
    /// The creation date, for a feed without entries.
    var updated: Date?
  }

  struct Place {
    /// Scheme, host, port and base path of this server.
    var origin: String
    /// The page with the same content.
    var page: Link
    /// The feed with its newest entries.
    var link: Link
    /// What to append to the address for this page of the feed; nil for the first page.
    var parameter: String?
    /// What to append to the address for the next page, if there is one.
    var next: String?
  }

  init(_ entries: [FeedEntry], in archive: Archive, named name: Name, at place: Place) {
    let series = archive.series
    let link = place.origin + place.link.address.description
    id = name.id.hasPrefix("urn:") ? name.id : StableIdentifier.of("feed/\(series.feedPrefix)\(name.id)")
    title = name.title.replacing("xkcd", with: series.name).withoutMarkup
    subtitle = name.subtitle
    updated =
      entries.map(\.updated).max() ?? name.updated ?? archive.latest?.date?.startOfDayInUTC
      ?? Date(timeIntervalSince1970: 0)
    page = place.origin + place.page.address.description
    address = link + (place.parameter ?? "")
    next = place.next.map { link + $0 }
    icon = place.origin + Link.asset("icon-180.png", version: .empty).address.description
    author = series.author
    rights = series.rights
    self.entries = entries
  }
}

extension FeedEntry {
  init(_ comic: ArchivedComic, in archive: Archive, changed: Date?, origin: String) {
    let content = FeedContent(comic, in: archive, origin: Text(string: origin))
    original = archive.series.page(of: comic.number)
    number = comic.number
    id = original ?? StableIdentifier.of("sample/\(comic.number.value)")
    title = content.title.description.withoutMarkup
    page = origin + Link.comic(comic.number).address.description
    published = comic.date?.startOfDayInUTC ?? Date(timeIntervalSince1970: 0)
    updated = max(published, changed ?? published)
    summary = comic.alt.description
    // All addresses in it are full ones.
    html = content.html.string(below: .empty)
    picture = content.picture.map { address in
      Picture(
        address: address.description,
        mediaType: content.pictureFacts?.format.mediaType,
        byteCount: content.pictureFacts?.byteCount
      )
    }
  }
}

extension String {
  /// The text without anything that HTML takes for a tag or a character reference.
  ///
  /// Titles of feeds are text, but many feed readers take them for HTML, and drop what looks like a tag. Angle quotation
  /// marks in place of `<` and `>`, and an invisible word joiner after `&`, read alike in both.
  var withoutMarkup: String {
    let scalars = unicodeScalars
    let hasTags = scalars.contains("<")
    guard hasTags || scalars.contains("&") else { return self }
    var result = String.UnicodeScalarView()
    for index in scalars.indices {
      switch scalars[index] {
      case "<": result.append("\u{2039}")
      case ">" where hasTags: result.append("\u{203A}")
      case "&":
        result.append("&")
        let rest = scalars[index...].dropFirst()
        let name = rest.prefix {
          $0 == "#" || ($0.isASCII && $0.properties.isAlphabetic) || ("0"..."9").contains($0)
        }
        if !name.isEmpty, rest[name.endIndex...].first == ";" { result.append("\u{2060}") }
      case let scalar: result.append(scalar)
      }
    }
    return String(result)
  }
}

extension PictureFacts.Format {
  var mediaType: String {
    switch self {
    case .png: "image/png"
    case .jpeg: "image/jpeg"
    case .gif: "image/gif"
    }
  }
}
