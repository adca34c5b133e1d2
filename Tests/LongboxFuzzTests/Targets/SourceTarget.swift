// Longbox
// SPDX-License-Identifier: MIT

@testable import LongboxCore
@testable import LongboxPages
@testable import LongboxUpstream

/// What the sources send.
enum SourceTarget {
  static func news(_ input: [UInt8]) throws(Finding) {
    try check(NewsHTML.news(String(decoding: input, as: UTF8.self)))
  }

  static func record(_ input: [UInt8]) throws(Finding) {
    guard let record = try? XkcdRecord(raw: input) else { return }
    let comic = record.comic()
    try check(comic.news)
    try Finding.check(
      comic.link.isEmpty || isWeb(comic.link),
      "a comic links to \(comic.link)"
    )
    // A comic that is too large can't be archived.
    guard let archive = archive(of: comic) else { return }
    try Finding.check(archive.comic(comic.number)?.comic == comic, "the archive changes a comic")
  }

  private static func archive(of comic: Comic) -> Archive? {
    var writer = SegmentWriter()
    guard (try? writer.append(comic)) != nil, let bytes = try? writer.finish(.init(revision: 1)) else {
      return nil
    }
    return (try? Segment(bytes)).flatMap { try? Archive($0) }
  }

  static func itunes(_ input: [UInt8]) throws(Finding) {
    guard let reply = try? ITunesReply(json: input) else { return }
    _ = reply.artists
    guard let country = StoreCountry("us") else { return }
    for album in reply.albums(in: country) {
      try Finding.check(
        album.storeAddress.isEmpty || isWeb(album.storeAddress),
        "an album links to \(album.storeAddress)"
      )
      guard let details = reply.album(album.id, in: country) else { continue }
      _ = details.tracks.gapCount
    }
  }

  static func mediawiki(_ input: [UInt8]) throws(Finding) {
    if let reply = try? WikiReply(json: input) {
      var pages = WikiPages()
      pages.add(reply)
      pages.isComplete = true
      if case .page(let page)? = pages.page(about: 353) {
        _ = WikiPage(wikitext: Text(string: page.wikitext))
      }
    }
    guard let reply = try? WikipediaReply(json: input) else { return }
    for page in reply.pages {
      try Finding.check(page.address.isEmpty || isWeb(page.address), "an article is at \(page.address)")
    }
  }

  private static func check(_ news: News) throws(Finding) {
    for run in news.runs {
      let isPath = run.address.bytes.first == UInt8(ascii: "/")
      try Finding.check(run.address.isEmpty || isPath || isWeb(run.address), "news link to \(run.address)")
    }
  }

  private static func isWeb(_ address: Text) -> Bool {
    address.starts(with: "https://") || address.starts(with: "http://")
  }
}
