// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import LongboxCatalog

@Suite struct `The poll schedule` {
  /// The time of a check, and the minutes until the next without jitter; all UTC.
  @Test(arguments: [
    ("2027-01-11T04:00:00Z", 15, "Monday, as the hours begin"),
    ("2027-01-11T15:59:59Z", 15, "Monday, as they end"),
    ("2027-01-11T16:00:00Z", 60, "Monday, after them"), ("2027-01-13T12:00:00Z", 15, "Wednesday noon"),
    ("2027-01-15T09:30:00Z", 15, "Friday morning"), ("2027-01-12T12:00:00Z", 60, "Tuesday noon"),
    ("2027-01-16T12:00:00Z", 60, "Saturday noon"), ("2027-01-17T12:00:00Z", 60, "Sunday noon"),
    ("2027-01-11T03:30:00Z", 30, "Monday, half an hour before"),
    ("2027-01-11T03:00:00Z", 60, "an hour before"),
    ("2027-01-11T02:59:00Z", 60, "more than an hour before"), ("2027-01-10T23:59:00Z", 60, "Sunday night"),
    ("2028-02-29T12:00:00Z", 60, "a leap day, a Tuesday"),
  ])
  func `is frequent on publication days and hours, otherwise rare`(date: String, minutes: Int, why: String)
    throws
  {
    let date = try #require(try? Date(date, strategy: .iso8601))
    let next = PollSchedule().next(after: date, jitter: 0)
    #expect(next.timeIntervalSince(date) == Double(minutes * 60), "\(why)")
  }

  @Test func `adds up to a tenth of jitter, and never subtracts`() throws {
    let date = try Date("2027-01-12T12:00:00Z", strategy: .iso8601)
    #expect(PollSchedule().next(after: date, jitter: 0.5).timeIntervalSince(date) == 3_780)
    #expect(PollSchedule().next(after: date, jitter: 0.999).timeIntervalSince(date) < 3_960)
  }

  @Test func `accepts a fixed interval for tests`() throws {
    let date = try Date("2027-01-11T12:00:00Z", strategy: .iso8601)
    #expect(PollSchedule(every: 2).next(after: date, jitter: 0).timeIntervalSince(date) == 2)
  }
}
