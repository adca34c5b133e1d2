// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore

/// All comics once more from one on, some each day from a day on.
///
/// Days are UTC's.
struct Rerun: Equatable, Sendable {
  /// The most comics that may come a day: as many as a feed holds, so that none is missed by who looks once a day.
  static let mostPerDay = 20
  private static let day: TimeInterval = 86_400

  /// The comic with which it begins.
  let first: Comic.Number
  /// The day on which it begins.
  let start: CalendarDate
  /// How many comics come a day.
  let perDay: Int
  private let beginning: Date

  /// Makes a re-run, or nothing where the calendar can't tell when it begins.
  init?(from first: Comic.Number, start: CalendarDate, perDay: Int) {
    guard let beginning = start.startOfDayInUTC, (1...Self.mostPerDay).contains(perDay) else { return nil }
    self.first = first
    self.start = start
    self.perDay = perDay
    self.beginning = beginning
  }

  /// The comics that have come, the newest first.
  /// - Parameters:
  ///   - now: the time.
  ///   - latest: the newest comic that there is, with which the re-run ends.
  ///   - before: leaves out this comic and those after it.
  ///   - limit: the most comics.
  func comics(at now: Date, upTo latest: Comic.Number, before: Comic.Number?, limit: Int) -> [Comic.Number] {
    guard now >= beginning else { return [] }
    let days = Int(now.timeIntervalSince(beginning) / Self.day) + 1
    var last = min(first.ordinal + days * perDay - 1, latest.ordinal)
    if let before { last = min(last, before.ordinal - 1) }
    guard last >= first.ordinal else { return [] }
    return (max(first.ordinal, last - limit + 1)...last).reversed().compactMap { Comic.Number(ordinal: $0) }
  }

  /// When a comic comes; those of one day a second after each other, so that feed readers keep their order.
  func date(of comic: Comic.Number) -> Date {
    let (day, place) = (comic.ordinal - first.ordinal).quotientAndRemainder(dividingBy: perDay)
    return beginning + TimeInterval(day) * Self.day + TimeInterval(place)
  }
}
