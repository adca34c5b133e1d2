// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore

extension HeaderFields {
  /// The wait that `Retry-After` asks for (RFC 9110 section 10.2.3): a number of seconds or a date.
  /// - Parameter now: the time. A date in the past means no wait.
  /// - Returns: at most a day; nil if the field is missing or unreadable.
  func retryAfter(now: Date) -> Duration? {
    guard let value = self["Retry-After"]?.trimmingCharacters(in: .whitespaces) else { return nil }
    let day = 86_400.0
    if !value.isEmpty, value.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      return .seconds(min(Double(value) ?? day, day))
    }
    guard let date = HTTPDate(Text(string: value)) else { return nil }
    let pause = Date(timeIntervalSince1970: TimeInterval(date.seconds)).timeIntervalSince(now)
    return .seconds(min(max(pause.rounded(.up), 0), day))
  }
}
