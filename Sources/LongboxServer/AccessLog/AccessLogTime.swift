// Longbox
// SPDX-License-Identifier: MIT

import Foundation

/// Times in log lines, in UTC.
enum AccessLogTime {
  /// `15/Jan/2027:12:00:00 +0000`.
  static func combined(_ date: Date) -> String { formatted(date, "%d/%b/%Y:%H:%M:%S +0000") }

  /// `2027-01-15T12:00:00.250Z`.
  static func iso8601(_ date: Date) -> String {
    let milliseconds = Int((date.timeIntervalSince1970 * 1000).rounded(.down)) % 1000
    let text = String(milliseconds)
    let padding = String(repeating: "0", count: 3 - text.utf8.count)
    return formatted(date, "%Y-%m-%dT%H:%M:%S.") + padding + text + "Z"
  }

  private static func formatted(_ date: Date, _ format: String) -> String {
    var seconds = time_t(date.timeIntervalSince1970.rounded(.down))
    var parts = tm()
    gmtime_r(&seconds, &parts)
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
      let count = strftime(buffer.baseAddress, buffer.count, format, &parts)
      return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
  }
}
