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
    let (day, place) = (comic.ordinal - first.ordinal).quotientAndRemainder(dividingBy: perDay)
    return beginning + TimeInterval(day) * Self.day + TimeInterval(place)
  }
}
