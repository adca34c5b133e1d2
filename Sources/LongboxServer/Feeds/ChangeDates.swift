// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCatalog

/// The `Last-Modified` date of the content at each address.
///
/// The dates of entries are not enough: removing a favorite doesn't make a feed newer. So this is the time
/// when this process first saw the content. After a restart, clients that compare dates download everything
/// once more.
struct ChangeDates: Sendable {
  private struct Change {
    var tag: EntityTag
    var date: Date
  }

  private let now: @Sendable () -> Date
  private let changes = MemoryCache<String, Change>(limit: 256 << 10)

  init(now: @escaping @Sendable () -> Date) {
    self.now = now
  }

  /// The time since when an address has the content with this tag.
  func date(of tag: EntityTag, at address: String) -> Date {
    if let change = changes[address], change.tag == tag { return change.date }
    let date = now()
    changes.insert(Change(tag: tag, date: date), for: address, cost: address.utf8.count + 64)
    return date
  }
}
