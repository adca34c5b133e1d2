// Longbox
// SPDX-License-Identifier: MIT

import Foundation

/// The result of one step of background work.
enum FillStep {
  /// Something was tried, with or without success; there may be more to do.
  case worked
  /// The source is down or limits the rate; nothing can be fetched now.
  case sourceDown(CatalogError)
  /// Nothing is due before this date; nil if nothing will be due.
  case idle(until: Date?)
}
