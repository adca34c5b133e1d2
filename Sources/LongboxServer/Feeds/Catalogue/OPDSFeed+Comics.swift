// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCatalog
import LongboxCore
import LongboxPages

extension OPDSFeed {
  struct Name {
    /// The name that the identifier is derived from.
    var id: String
    var title: String
    /// The date of change, for a part without dated entries.
    var updated: Date?
  }

  struct Place {
    /// Scheme, host, port and base path of this server.
    var origin: String
    var link: Link
    var up: Link?
  }

  /// Creates a part of the catalogue of an archive; the caller adds the pagination.
  init(_ content: Content, in archive: Archive, named name: Name, at place: Place) {
    func address(_ link: Link) -> String { place.origin + link.address.description }
    let series = archive.series
    id = StableIdentifier.of("\(series.feedPrefix)\(name.id)")
    title = name.title.replacing("xkcd", with: series.name).withoutMarkup
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
