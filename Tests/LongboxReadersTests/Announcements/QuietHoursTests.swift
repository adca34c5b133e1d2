// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxStore
import Testing

@testable import LongboxReaders

@Suite struct `Quiet hours in the reader's time zone` {
  private func date(_ text: String) throws -> Date { try Date(text, strategy: .iso8601) }

  /// From, until, time zone, the current time, and when notifications may resume.
  @Test(
    arguments: [
      ("22:00", "07:00", "UTC", "2027-01-15T21:59:59Z", nil),
      ("22:00", "07:00", "UTC", "2027-01-15T22:00:00Z", "2027-01-16T07:00:00Z"),
      ("22:00", "07:00", "UTC", "2027-01-15T03:30:00Z", "2027-01-15T07:00:00Z"),
      ("22:00", "07:00", "UTC", "2027-01-15T07:00:00Z", nil),
      ("09:00", "17:00", "UTC", "2027-01-15T12:00:00Z", "2027-01-15T17:00:00Z"),
      ("09:00", "17:00", "UTC", "2027-01-15T17:00:00Z", nil),
      ("22:00", "07:00", "Europe/Berlin", "2027-01-15T05:30:00Z", "2027-01-15T06:00:00Z"),
      ("22:00", "07:00", "America/New_York", "2027-01-15T05:30:00Z", "2027-01-15T12:00:00Z"),
      ("22:00", "07:00", "Asia/Kolkata", "2027-01-15T17:00:00Z", "2027-01-16T01:30:00Z"),
      // The clock skips from 2:00 to 3:00, so quiet hours until 2:30 end at the change.
      ("22:00", "02:30", "Europe/Berlin", "2027-03-28T00:30:00Z", "2027-03-28T01:00:00Z"),
      // The clock goes back from 3:00 to 2:00.
      ("22:00", "07:00", "Europe/Berlin", "2027-10-31T00:30:00Z", "2027-10-31T06:00:00Z"),
      ("00:00", "23:59", "UTC", "2027-01-15T12:00:00Z", "2027-01-15T23:59:00Z"),
    ] as [(String, String, String, String, String?)]
  )
  func `end at the right time`(from: String, until: String, zone: String, moment: String, end: String?) throws
  {
    let hours = try #require(QuietHours(from: from, until: until))
    let timeZone = try #require(TimeZone(identifier: zone))
    #expect(try hours.end(at: date(moment), in: timeZone) == end.map { try date($0) })
    #expect(hours.fromText == from && hours.untilText == until)
  }

  @Test(arguments: ["", "7:00", "24:00", "12:60", "12", "12:00:00", "ab:cd", "-1:00", "１２:00"])
  func `need two digits for each number`(text: String) {
    #expect(QuietHours(from: text, until: "08:00") == nil)
  }

  @Test func `are off by default`() {
    #expect(PushPreferences().quietUntil(at: Date(timeIntervalSince1970: 0)) == nil)
  }
}
