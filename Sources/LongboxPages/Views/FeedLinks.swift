// Longbox
// SPDX-License-Identifier: MIT

#if !hasFeature(Embedded)
import LongboxCore

/// Links to feeds in a page's head; feed readers offer the first one.
struct FeedLinks {
  private let feed: Link?
  private let isThere: Bool

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
