// Longbox
// SPDX-License-Identifier: MIT

extension CalendarDate {
  /// Converts a time to its day in UTC; nil after the year 9999.
  ///
  /// Years begin in March in the calculation, so that the leap day is the last day (Howard Hinnant,
  /// "chrono-Compatible Low-Level Date Algorithms", civil_from_days).
  /// - Parameter time: milliseconds since 1970-01-01 UTC.
  public init?(time: UInt64) {
    let days = time / 86_400_000
    guard days < 3_000_000 else { return nil }
    let sinceMarchOfYear0 = Int(days) + 719_468
    let era = sinceMarchOfYear0 / 146_097
    let dayOfEra = sinceMarchOfYear0 % 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    self.init(
      year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
      month: month,
      day: dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    )
  }

  /// The days since 1970-01-01, negative before (Hinnant's days_from_civil).
  package var daysSince1970: Int {
    let (year, monthFromMarch) = month > 2 ? (self.year, month - 3) : (self.year - 1, month + 9)
    let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
    return year * 365 + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468
  }
}
