// Longbox
// SPDX-License-Identifier: MIT

import Foundation

extension HeaderFields {
  /// How long `Retry-After` asks to wait (RFC 9110 section 10.2.3): a number of seconds or a date.
  ///
  /// - Parameter now: the time that a date is compared with; a date in the past is no wait at all.
  /// - Returns: nothing where the field is missing or can't be read. At most a day, whatever it says.
  func retryAfter(now: Date) -> Duration? {
    guard let value = self["Retry-After"]?.trimmingCharacters(in: .whitespaces) else { return nil }
    let day = 86_400.0
    if !value.isEmpty, value.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      return .seconds(min(Double(value) ?? day, day))
    }
    guard let date = try? Date(value, strategy: .http) else { return nil }
    return .seconds(min(max(date.timeIntervalSince(now).rounded(.up), 0), day))
  }
}
