// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCatalog
import LongboxCore

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

extension Rerun {
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
