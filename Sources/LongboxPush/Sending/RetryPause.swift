// Longbox
// SPDX-License-Identifier: MIT

public import Foundation

/// The time to wait before sending a message again.
public enum RetryPause {
  /// The pause after an attempt.
  ///
  /// It starts at 30 seconds and doubles up to six hours, or is what the service asked for if that is
  /// longer. Up to 50 % of jitter spreads the retries of messages that failed together.
  /// - Parameters:
  ///   - attempts: the number of attempts so far, at least 1.
  ///   - requested: what the service asked for.
  ///   - jitter: from 0 to 1.
  /// - Returns: seconds, at most two days.
  public static func seconds(attempts: Int, requested: Duration?, jitter: Double) -> TimeInterval {
    let doubled = min(30 * pow(2, Double(max(attempts, 1) - 1)), 6 * 3600)
    let requested = requested.map { TimeInterval($0.components.seconds) } ?? 0
    return min(max(doubled, requested) * (1 + jitter / 2), 2 * 86_400)
  }

  /// Parses `Retry-After` (RFC 9110, section 10.2.3), a number of seconds or a date.
  ///
  /// The date is parsed by Foundation: this module imports none of Longbox's, so it can't use `HTTPDate` of LongboxCore.
  /// - Returns: at most a day; nil if invalid.
  static func requested(_ field: String?, now: Date) -> Duration? {
    guard let field = field?.trimmingCharacters(in: .whitespaces), !field.isEmpty else { return nil }
    let day = 86_400.0
    if field.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      return .seconds(min(Double(field) ?? day, day))
    }
    let format = DateFormatter()
    format.locale = Locale(identifier: "en_US_POSIX")
    format.timeZone = .gmt
    format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    guard let date = format.date(from: field) else { return nil }
    return .seconds(min(max(date.timeIntervalSince(now).rounded(.up), 0), day))
  }
}
