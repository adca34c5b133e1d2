// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCatalog

/// Since when what stands at an address is what it is, for `Last-Modified`.
///
/// The dates of entries can't tell: a comic that is no favourite any more leaves a feed as old as before. So it is the
/// moment at which this process first saw the content; after a restart who asks by date gets everything once more.
struct ChangeMoments: Sendable {
  private struct Moment {
    var tag: EntityTag
    var date: Date
  }

  private let now: @Sendable () -> Date
  private let moments = MemoryCache<String, Moment>(limit: 256 << 10)

  init(now: @escaping @Sendable () -> Date) {
    self.now = now
  }

  /// The moment since when an address has the content with a tag.
  func moment(of tag: EntityTag, at address: String) -> Date {
    if let moment = moments[address], moment.tag == tag { return moment.date }
    let date = now()
    moments.insert(Moment(tag: tag, date: date), for: address, cost: address.utf8.count + 64)
    return date
  }
}
