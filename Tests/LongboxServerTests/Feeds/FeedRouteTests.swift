// Longbox
// SPDX-License-Identifier: MIT

import LongboxPages
import Testing

@testable import LongboxServer

@Suite struct `An address of a feed` {
  @Test(
    arguments: [
      ("/feed.atom", .comics(.atom)), ("/feed.json", .comics(.json)), ("/feeds", .page),
      ("/feeds/favorites", .favoritesForm), ("/feeds/abc.atom", .favorites("abc", .atom)),
      ("/feeds/abc.json", .favorites("abc", .json)), ("/feeds/abc.rss", .unknown), ("/feeds/abc", .unknown),
      ("/feeds/rerun/1/2026-11-21.atom", .rerun("1", "2026-11-21", .atom)),
      ("/feeds/rerun/x/y.json", .rerun("x", "y", .json)), ("/feeds/rerun/1/2026-11-21", .unknown),
      ("/feeds/rerun/1/2/3.atom", .unknown), ("/opds", .catalogue(.root)),
      ("/opds/latest", .catalogue(.latest)),
      ("/opds/years", .catalogue(.years)), ("/opds/years/2012", .catalogue(.year("2012"))),
      ("/opds/search", .catalogue(.search)), ("/opds/search.xml", .catalogue(.searchDescription)),
      ("/opds/none", .unknown), ("/353/comic.cbz", .comicBook("353")), ("/x/comic.cbz", .comicBook("x")),
    ] as [(String, FeedRoute)]
  )
  func `is told from all others`(path: String, route: FeedRoute) {
    #expect(Route(path: path) == .feed(route))
  }

  @Test(arguments: ["/feed.rss", "/feed.atom/more", "/", "/353/", "/comic.cbz", "/353/comic.cbz/x"])
  func `is not what only looks like one`(path: String) {
    #expect(Route(path: path) == .page)
  }
}
