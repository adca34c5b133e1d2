// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore
import LongboxPages

extension Feed {
  /// What a feed calls itself.
  struct Name {
    /// From which the identifier is made, or the identifier itself where it is one already.
    var id: String
    var title: String
    var subtitle: String
    /// When it was made, for a feed that has no entry yet.
    var updated: Date?
  }

  /// Where a feed is, and what belongs to it.
  struct Place {
    /// Scheme, host and port of this server.
    var origin: String
    /// The page that shows the same.
    var page: Link
    /// The feed with its newest entries.
    var link: Link
    /// What follows in the address of this part of it, where it is another part.
    var parameter: String?
    /// What follows in the address of the next part of it, where there is one.
    var next: String?
  }

  /// A feed of comics.
  init(_ entries: [FeedEntry], in archive: Archive, named name: Name, at place: Place) {
    let series = archive.series
    let link = place.origin + place.link.address.description
    id = name.id.hasPrefix("urn:") ? name.id : StableIdentifier.of("feed/\(series.feedPrefix)\(name.id)")
    title = name.title.replacing("xkcd", with: series.name)
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
  /// A comic as an entry.
  /// - Parameters:
  ///   - comic: the comic.
  ///   - archive: the archive that it stands in.
  ///   - changed: when it was changed, where it ever was.
  ///   - origin: scheme, host and port of this server.
  init(_ comic: ArchivedComic, in archive: Archive, changed: Date?, origin: String) {
    let content = FeedContent(comic, in: archive, origin: Text(string: origin))
    original = archive.series.page(of: comic.number)
    number = comic.number
    id = original ?? StableIdentifier.of("sample/\(comic.number.value)")
    title = content.title.description
    page = origin + Link.comic(comic.number).address.description
    published = comic.date?.startOfDayInUTC ?? Date(timeIntervalSince1970: 0)
    updated = max(published, changed ?? published)
    summary = comic.alt.description
    html = content.html.description
    picture = content.picture.map { address in
      Picture(
        address: address.description,
        mediaType: content.pictureFacts?.format.mediaType,
        byteCount: content.pictureFacts?.byteCount
      )
    }
  }
}

extension PictureFacts.Format {
  /// The media type of such files.
  var mediaType: String {
    switch self {
    case .png: "image/png"
    case .jpeg: "image/jpeg"
    case .gif: "image/gif"
    }
  }
}
