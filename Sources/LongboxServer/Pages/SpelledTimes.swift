// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore
public import LongboxUpstream

extension Date {
  /// The date to the minute in UTC, such as "21 November 2026, 07:25 UTC".
  var spelledInUTC: String {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute], from: self)
    guard
      let year = parts.year, let month = parts.month, let day = parts.day, let hour = parts.hour,
      let minute = parts.minute, let date = CalendarDate(year: year, month: month, day: day)
    else { return "" }
    return "\(date.spelled), \(Text(hour, digits: 2)):\(Text(minute, digits: 2)) UTC"
  }

  /// The time in UTC, such as "07:25 UTC", with the date if another time isn't on the same day.
  func spelledInUTC(beside other: Date) -> String {
    let (own, others) = (spelledInUTC.split(separator: ", "), other.spelledInUTC.split(separator: ", "))
    guard own.count == 2, own.first == others.first else { return spelledInUTC }
    return String(own[1])
  }
}

extension SourcePause {
  /// A sentence about the iTunes Store with two times, the date if they aren't of one day.
  public var sentence: String {
    // The first minute in which the next call may go out for certain.
    let next = Date(timeIntervalSince1970: (nextTry.timeIntervalSince1970 / 60).rounded(.up) * 60)
    let times = (since: since.spelledInUTC(beside: next), next: next.spelledInUTC(beside: since))
    return "\(Source.itunes.nameAtStart) has refused since \(times.since); next try at \(times.next)."
  }
}
