// Longbox
// SPDX-License-Identifier: MIT

#if !hasFeature(Embedded)
import LongboxCore

/// Where feed readers find the feeds of a page, in its head: the first is the one that they offer.
struct FeedLinks {
  private let feed: Link?
  private let isThere: Bool

  /// The links of a page.
  /// - Parameters:
  ///   - feed: the page's own feed, where it has one.
  ///   - context: says whether the host has feeds.
  init(_ feed: Link?, on context: PageContext) {
    self.feed = feed
    isThere = context.hasFeeds
  }

  @HTMLBuilder var html: HTML {
    if isThere {
      if let feed { alternate(feed, "This search") }
      alternate(.feed(.atom), "xkcd")
    }
  }

  private func alternate(_ feed: Link, _ title: StaticString) -> HTML {
    link(
      Attribute("rel", "alternate"),
      Attribute("type", "application/atom+xml"),
      .title(title),
      .href(feed)
    )
  }
}
#endif
