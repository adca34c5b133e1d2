// Longbox
// SPDX-License-Identifier: MIT

import Foundation

extension Date {
  /// Whole seconds since 1970 UTC, the database's format for times.
  var seconds: Int64 {
    let seconds = timeIntervalSince1970.rounded(.down)
    return Int64(exactly: seconds) ?? (seconds < 0 ? 0 : Int64(Int32.max) * 1_000)
  }

  init(seconds: Int64) {
    self.init(timeIntervalSince1970: TimeInterval(seconds))
  }
}
