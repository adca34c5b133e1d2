// Longbox
// SPDX-License-Identifier: MIT

#if !hasFeature(Embedded)
import LongboxCore

/// Links to feeds in a page's head; feed readers offer the first one.
struct FeedLinks {
  private let feed: ((FeedFormat) -> Link)?
  private let isThere: Bool

  init(_ feed: ((FeedFormat) -> Link)?, on context: PageContext) {
    self.feed = feed
    isThere = context.hasFeeds
  }

  @HTMLBuilder var html: HTML {
    if isThere {
      for format in [FeedFormat.atom, .json] {
        if let feed { alternate(feed(format), format, "This search") }
        alternate(.feed(format), format, "xkcd")
      }
    }
  }

  private func alternate(_ feed: Link, _ format: FeedFormat, _ title: StaticString) -> HTML {
    link(
      Attribute("rel", "alternate"),
      Attribute("type", format == .json ? "application/feed+json" : "application/atom+xml"),
      .title(title),
      .href(feed)
    )
  }
}
#endif
