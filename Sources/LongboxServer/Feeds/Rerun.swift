// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCatalog
import LongboxCore

/// A re-run: publishes old comics again, some each day, from a given comic and day on.
///
/// Days are in UTC.
struct Rerun: Equatable, Sendable {
  /// The maximum number of comics a day: a feed's length, so that a daily reader misses none.
  static let mostPerDay = 20
  private static let day: TimeInterval = 86_400

  let first: Comic.Number
  let start: CalendarDate
  let perDay: Int
  private let beginning: Date

  /// Creates a re-run; nil if the start date or the number a day is invalid.
  init?(from first: Comic.Number, start: CalendarDate, perDay: Int) {
    guard let beginning = start.startOfDayInUTC, (1...Self.mostPerDay).contains(perDay) else { return nil }
    self.first = first
    self.start = start
    self.perDay = perDay
    self.beginning = beginning
  }

  /// The comics that the re-run has published, newest first.
  /// - Parameters:
  ///   - now: the current time.
  ///   - latest: the newest comic, where the re-run ends.
  ///   - before: leaves out this comic and those after it.
  ///   - limit: the maximum number of comics.
  func comics(at now: Date, upTo latest: Comic.Number, before: Comic.Number?, limit: Int) -> [Comic.Number] {
    guard now >= beginning else { return [] }
    let days = Int(now.timeIntervalSince(beginning) / Self.day) + 1
    var last = min(first.ordinal + days * perDay - 1, latest.ordinal)
    if let before { last = min(last, before.ordinal - 1) }
    guard last >= first.ordinal else { return [] }
    return (max(first.ordinal, last - limit + 1)...last).reversed().compactMap { Comic.Number(ordinal: $0) }
  }

  /// When a comic appears; comics of one day are a second apart, so that feed readers keep their order.
  func date(of comic: Comic.Number) -> Date {
    let (day, position) = (comic.ordinal - first.ordinal).quotientAndRemainder(dividingBy: perDay)
    return beginning + TimeInterval(day) * Self.day + TimeInterval(position)
  }

  private static let furthest: TimeInterval = 366 * 86_400
  /// The maximum length of the invalid input that an error quotes.
  static let longestEcho = 40

  /// Parses a re-run from an address or a form.
  /// - Parameters:
  ///   - first: the first comic's number.
  ///   - start: the first day, such as `2026-11-21`.
  ///   - perDay: the number of comics a day.
  ///   - latest: the newest comic.
  ///   - now: the current time.
  init(
    from first: String,
    start: String,
    perDay: Int,
    upTo latest: Comic.Number,
    at now: Date
  ) throws(RerunError) {
    guard let number = APIQuery.number(first, in: 1...latest.value).flatMap({ Comic.Number($0) }) else {
      throw .noComic(String(first.prefix(Self.longestEcho)), latest: latest.value)
    }
    guard
      let date = CalendarDate(iso8601: Text(string: start)), let beginning = date.startOfDayInUTC,
      beginning.timeIntervalSince(now) < Self.furthest
    else { throw .noDay(String(start.prefix(Self.longestEcho))) }
    guard let rerun = Rerun(from: number, start: date, perDay: perDay) else { throw .notPerDay("\(perDay)") }
    self = rerun
  }
}

/// Why a re-run can't be created.
enum RerunError: Error, Equatable {
  /// The first comic is not a number from 1 to `latest`.
  case noComic(String, latest: Int)
  /// The start is not a date on which a re-run can begin.
  case noDay(String)
  /// The number of comics a day is invalid.
  case notPerDay(String)

  /// The wrong parameter.
  var parameter: String {
    switch self {
    case .noComic: "from"
    case .noDay: "start"
    case .notPerDay: "per-day"
    }
  }
}

extension RerunError: CustomStringConvertible {
  var description: String {
    switch self {
    case .noComic(let text, let latest):
      "“\(text)” is no comic’s number: a re-run begins with one from 1 to \(latest)."
    case .noDay(let text):
      "“\(text)” is no day on which a re-run can begin. Write it like 2026-11-21, at most a year ahead."
    case .notPerDay(let text): "“\(text)” comics a day is not possible; choose 1 to \(Rerun.mostPerDay)."
    }
  }
}
