// Longbox
// SPDX-License-Identifier: MIT

import Foundation

extension Date {
  /// Whole seconds since 1970 UTC, the format of most times in the database.
  var seconds: Int64 {
    let seconds = timeIntervalSince1970.rounded(.down)
    return Int64(exactly: seconds) ?? (seconds < 0 ? 0 : Int64(Int32.max) * 1_000)
  }

  /// Milliseconds since 1970 UTC, the format of times that are compared exactly.
  var unixMilliseconds: Int64 { Int64(within: (timeIntervalSince1970 * 1_000).rounded()) }

  /// Microseconds since 1970 UTC, the format of times to which many short intervals are added.
  var unixMicroseconds: Int64 { Int64(within: (timeIntervalSince1970 * 1_000_000).rounded()) }

  init(seconds: Int64) {
    self.init(timeIntervalSince1970: TimeInterval(seconds))
  }
}
