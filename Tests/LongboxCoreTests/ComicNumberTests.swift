// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import Testing

@Suite struct `Comic numbers` {
  @Test(arguments: [0, -1, 404, 1_000_000, Int.min, Int.max])
  func `reject numbers that no comic has`(value: Int) {
    #expect(Comic.Number(value) == nil)
  }

  @Test(
    arguments: [(1, nil, 2), (2, 1, 3), (403, 402, 405), (405, 403, 406), (3282, 3281, 3283)]
      as [(Int, Int?, Int)]
  )
  func `skip 404 between neighbours`(value: Int, previous: Int?, next: Int) throws {
    let number = try #require(Comic.Number(value))
    #expect(number.previous?.value == previous)
    #expect(number.next?.value == next)
  }

  @Test(arguments: [(1, 1), (403, 403), (405, 404), (3282, 3281)])
  func `have an ordinal that leaves out 404`(value: Int, ordinal: Int) throws {
    let number = try #require(Comic.Number(value))
    #expect(number.ordinal == ordinal)
    #expect(Comic.Number(ordinal: ordinal) == number)
  }

  @Test func `have no next number after the greatest`() throws {
    #expect(try #require(Comic.Number(Comic.Number.greatestValue)).next == nil)
  }
}

@Suite struct `Calendar dates` {
  @Test(arguments: [(2024, 2, 29), (2000, 2, 29), (2006, 1, 1), (2026, 12, 31)])
  func `accept days that exist`(year: Int, month: Int, day: Int) {
    #expect(CalendarDate(year: year, month: month, day: day) != nil)
  }

  @Test(arguments: [
    (2023, 2, 29), (1900, 2, 29), (2006, 0, 1), (2006, 13, 1), (2006, 4, 31), (0, 1, 1), (2006, 1, 0),
  ])
  func `reject days that do not exist`(year: Int, month: Int, day: Int) {
    #expect(CalendarDate(year: year, month: month, day: day) == nil)
  }
}
