// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore

/// Why there is no re-run as somebody asked for it.
enum RerunError: Error, Equatable {
  /// What was given is not the number of a comic that there is; the latest is another.
  case noComic(String, latest: Int)
  /// What was given is no day that Longbox can begin on.
  case noDay(String)
  /// What was given is no number of comics a day.
  case notPerDay(String)

  /// Which part of the question was wrong.
  var parameter: String {
    switch self {
    case .noComic: "from"
    case .noDay: "start"
    case .notPerDay: "per-day"
    }
  }
}

extension RerunError: CustomStringConvertible {
  /// A sentence for people.
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
  /// What is told back of a text that is none of the things asked for.
  static let longestEcho = 40

  /// Reads a re-run as it stands in an address or a form.
  /// - Parameters:
  ///   - first: the first comic's number.
  ///   - start: the first day, such as `2026-11-21`.
  ///   - perDay: how many comics a day.
  ///   - latest: the newest comic that there is.
  ///   - now: the time.
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
      let date = CalendarDate(iso8601: start), let beginning = date.startOfDayInUTC,
      beginning.timeIntervalSince(now) < Self.furthest
    else { throw .noDay(String(start.prefix(Self.longestEcho))) }
    guard let rerun = Rerun(from: number, start: date, perDay: perDay) else { throw .notPerDay("\(perDay)") }
    self = rerun
  }
}
