// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import LongboxPages

/// The oEmbed 1.0 response for a comic (https://oembed.com, section 2.3.4), encoded in snake case.
struct OEmbedReply: Encodable {
  var version = "1.0"
  /// `photo`, `rich` or `link`.
  var type: String
  var title: String
  var authorName: String
  var authorUrl: String?
  var providerName = "Longbox"
  var providerUrl: String
  /// For how many seconds sites may keep it; nil for a link.
  var cacheAge: Int?
  var url: String?
  var html: String?
  var width: Int?
  var height: Int?

  init(_ comic: ArchivedComic, in archive: Archive, maxSize: EmbeddedComic.MaxSize, origin: String) {
    title = "#\(comic.number.value) \(comic.title)"
    authorName = archive.series.author.name
    authorUrl = archive.series.page(of: comic.number)
    providerUrl = "\(origin)/"
    guard let embedded = EmbeddedComic(comic, in: archive, maxSize: maxSize) else {
      type = "link"
      return
    }
    cacheAge = 86_400
    type = embedded.isWhole ? "photo" : "rich"
    width = embedded.width
    height = embedded.height
    if embedded.isWhole {
      url = "\(origin)\(embedded.picture)"
    } else {
      html = embedded.html(origin: Text(string: origin)).string(below: .empty)
    }
  }
}
