// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore
import LongboxPages

extension CatalogueFeed {
  /// What a part calls itself.
  struct Name {
    /// From which the identifier is made.
    var id: String
    var title: String
    /// When it was changed, where it has no entries that tell.
    var updated: Date?
  }

  /// Where a part is.
  struct Place {
    /// Scheme, host and port of this server.
    var origin: String
    var link: Link
    /// The part above.
    var up: Link?
  }

  /// A part of the catalogue of an archive; which page of it, the caller adds.
  init(_ content: Content, in archive: Archive, named name: Name, at place: Place) {
    func address(_ link: Link) -> String { place.origin + link.address.description }
    let series = archive.series
    id = StableIdentifier.of("\(series.feedPrefix)\(name.id)")
    title = name.title.replacing("xkcd", with: series.name)
    let dates: [Date] =
      switch content {
      case .sections(let sections): sections.map(\.updated)
      case .publications(let publications): publications.map(\.entry.updated)
      }
    updated =
      dates.max() ?? name.updated ?? archive.latest?.date?.startOfDayInUTC ?? Date(timeIntervalSince1970: 0)
    self.address = address(place.link)
    up = place.up.map(address)
    root = address(.catalogue)
    searchDescription = address(.catalogueSearchDescription)
    icon = address(.asset("icon-180.png", version: .empty))
    author = series.author
    rights = series.rights
    self.content = content
  }
}
