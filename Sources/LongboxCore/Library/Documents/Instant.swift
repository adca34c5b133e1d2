// Longbox
// SPDX-License-Identifier: MIT

/// A time in a library's file, in ISO 8601 UTC with milliseconds: `2026-11-21T11:00:00.000Z`.
struct Instant: Equatable, Sendable {
  /// Since 1970-01-01 UTC.
  let milliseconds: UInt64

  private static var dayLength: UInt64 { 86_400_000 }
  /// The last millisecond of the year 9999.
  private static var greatest: UInt64 { 253_402_300_799_999 }

  init(milliseconds: UInt64) {
    self.milliseconds = min(milliseconds, Self.greatest)
  }

  /// Parses a time with or without fractions of a second, in UTC or with an offset.
  init?(_ text: Text) {
    var reader = DigitReader(rest: text.bytes)
    guard
      let year = reader.number(4), reader.skip("-"), let month = reader.number(2), reader.skip("-"),
      let day = reader.number(2), let date = CalendarDate(year: year, month: month, day: day), year >= 1970,
      reader.skip("T"), let hour = reader.number(2), hour < 24, reader.skip(":"),
      let minute = reader.number(2), minute < 60, reader.skip(":"), let second = reader.number(2),
      second < 60,
      let fraction = reader.fraction(), let offset = reader.offset(), reader.rest.isEmpty
    else { return nil }
    // The minutes need 64 bits. `&*` can't overflow with a four-digit year; checked multiplication needs a runtime
    // function that the WebAssembly lacks.
    let minutes = Int64(date.daysSince1970) &* 1440 + Int64(hour * 60 + minute - offset)
    guard minutes >= 0 else { return nil }
    self.init(milliseconds: UInt64(minutes) &* 60_000 + UInt64(second * 1000 + fraction))
  }

  var text: Text {
    let rest = Int(milliseconds % Self.dayLength)
    let clock =
      Text(rest / 3_600_000, digits: 2) + ":" + Text(rest / 60_000 % 60, digits: 2) + ":"
      + Text(rest / 1000 % 60, digits: 2) + "." + Text(rest % 1000, digits: 3)
    return (CalendarDate(time: milliseconds)?.iso8601 ?? .empty) + "T" + clock + "Z"
  }
}

/// Reads the parts of a time.
private struct DigitReader {
  var rest: ArraySlice<UInt8>

  mutating func number(_ digits: Int) -> Int? {
    guard rest.count >= digits, let number = Text(rest.prefix(digits)).number else { return nil }
    rest = rest.dropFirst(digits)
    return number
  }

  mutating func skip(_ letter: StaticString) -> Bool {
    guard let first = rest.first, letter.isEqual(to: [first]) else { return false }
    rest = rest.dropFirst()
    return true
  }

  /// Milliseconds after a point; 0 without one, nil without digits after it.
  mutating func fraction() -> Int? {
    guard skip(".") else { return 0 }
    let digits = rest.prefix { $0.isASCIIDigit }
    guard !digits.isEmpty else { return nil }
    rest = rest.dropFirst(digits.count)
    return Text(Array(digits.prefix(3)) + repeatElement(UInt8(ascii: "0"), count: max(0, 3 - digits.count)))
      .number
  }

  /// The minutes that the clock is ahead of UTC.
  mutating func offset() -> Int? {
    if skip("Z") { return 0 }
    let isAhead = skip("+")
    guard isAhead || skip("-"), let hours = number(2) else { return nil }
    _ = skip(":")
    guard let minutes = number(2), hours < 24, minutes < 60 else { return nil }
    return (isAhead ? 1 : -1) * (hours * 60 + minutes)
  }
}
