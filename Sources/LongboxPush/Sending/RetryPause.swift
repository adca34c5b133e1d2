// Longbox
// SPDX-License-Identifier: MIT

public import Foundation

/// How long to wait before a message is tried again.
public enum RetryPause {
  /// The pause after a try.
  ///
  /// Half a minute, doubled with each try up to six hours, and up to half as much again by chance, so that what failed at the
  /// same moment does not come back at the same moment. What the service asks for counts where it is more.
  /// - Parameters:
  ///   - attempts: how many tries there were, at least 1.
  ///   - asked: what the service asked for.
  ///   - chance: 0 up to 1.
  /// - Returns: seconds; two days at most.
  public static func seconds(attempts: Int, asked: Duration?, chance: Double) -> TimeInterval {
    let doubled = min(30 * pow(2, Double(max(attempts, 1) - 1)), 6 * 3600)
    let asked = asked.map { TimeInterval($0.components.seconds) } ?? 0
    return min(max(doubled, asked) * (1 + chance / 2), 2 * 86_400)
  }

  /// Reads `Retry-After` (RFC 9110, section 10.2.3), a number of seconds or a date.
  /// - Returns: nothing where it is neither; at most a day.
  static func asked(_ field: String?, now: Date) -> Duration? {
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
