// Longbox
// SPDX-License-Identifier: MIT

import Foundation
public import LongboxStore

extension QuietHours {
  /// Parses two times of day such as `22:00` and `07:30`.
  public init?(from: String, until: String) {
    guard let from = Self.minutes(from), let until = Self.minutes(until) else { return nil }
    self.init(from: from, until: until)
  }

  /// The time they begin, such as `22:00`.
  public var fromText: String { Self.text(from) }

  /// The time they end.
  public var untilText: String { Self.text(until) }

  /// The end of the quiet hours at a date; nil outside them.
  ///
  /// They follow the reader's local time. If a clock change skips the end, they end with the change.
  func end(at date: Date, in timeZone: TimeZone) -> Date? {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = timeZone
    let parts = calendar.dateComponents([.hour, .minute], from: date)
    let minute = (parts.hour ?? 0) * 60 + (parts.minute ?? 0)
    let isQuiet = from < until ? (from..<until).contains(minute) : minute >= from || minute < until
    guard isQuiet else { return nil }
    return calendar.nextDate(
      after: date,
      matching: DateComponents(hour: until / 60, minute: until % 60, second: 0),
      matchingPolicy: .nextTime
    )
  }

  private static func minutes(_ text: String) -> Int? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy(isTwoDigits), let hour = Int(parts[0]),
      let minute = Int(parts[1]),
      hour < 24, minute < 60
    else { return nil }
    return hour * 60 + minute
  }

  private static func isTwoDigits(_ text: Substring) -> Bool {
    text.utf8.count == 2 && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }

  private static func text(_ minutes: Int) -> String {
    func two(_ number: Int) -> String { (number < 10 ? "0" : "") + "\(number)" }
    return two(minutes / 60) + ":" + two(minutes % 60)
  }
}

extension PushPreferences {
  /// The end of the reader's quiet hours at a date; nil outside them.
  func quietUntil(at date: Date) -> Date? {
    quietHours?.end(at: date, in: TimeZone(identifier: timeZone) ?? .gmt)
  }
}
