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
    let isSampleBox = archive.isSampleBox
    let link = place.origin + place.link.address.description
    let kind = isSampleBox ? "samples/" : ""
    id = name.id.hasPrefix("urn:") ? name.id : StableIdentifier.of("feed/\(kind)\(name.id)")
    title = isSampleBox ? name.title.replacing("xkcd", with: "Longbox samples") : name.title
    subtitle = name.subtitle
    updated =
      entries.map(\.updated).max() ?? name.updated ?? archive.latest?.date?.startOfDayInUTC
      ?? Date(timeIntervalSince1970: 0)
    page = place.origin + place.page.address.description
    address = link + (place.parameter ?? "")
    next = place.next.map { link + $0 }
    icon = place.origin + Link.asset("icon-180.png", version: .empty).address.description
    author = Author(isSampleBox: isSampleBox)
    rights = Rights(isSampleBox: isSampleBox)
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
    let isSample = archive.isSampleBox
    let source = Link.xkcd(comic.number).address.description
    number = comic.number
    id = isSample ? StableIdentifier.of("sample/\(comic.number.value)") : source
    title = content.title.description
    page = origin + Link.comic(comic.number).address.description
    original = isSample ? nil : source
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
