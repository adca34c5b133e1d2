// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import Testing

@testable import LongboxPages

struct ChoiceTests {
  @Test(
    arguments: [
      ("353", 353), ("1", 1), ("3282", 3282), ("#353", 353), ("00353", 353), ("405", 405), ("403", 403),
    ]
  )
  func `a comic's number chooses it`(typed: String, number: Int) throws {
    let latest = try #require(Comic.Number(3282))
    #expect(Choice(Text(string: typed), latest: latest) == .number(try #require(Comic.Number(number))))
  }

  @Test(
    arguments: [
      ("", Choice.Problem.empty), ("#", .notANumber), ("-", .notANumber), ("abc", .notANumber),
      ("3.5", .notANumber), ("1e3", .notANumber), ("٣٥٣", .notANumber), ("35 3", .notANumber),
      ("<b>7</b>", .notANumber), ("+3", .notANumber), ("0", .belowFirst), ("000", .belowFirst),
      ("-1", .belowFirst), ("-404", .belowFirst), ("-99999999999999999999", .belowFirst),
    ]
  )
  func `what is not a comic's number is rejected with the reason`(typed: String, problem: Choice.Problem)
    throws
  {
    let latest = try #require(Comic.Number(3282))
    #expect(Choice(Text(string: typed), latest: latest) == .rejected(problem))
  }

  @Test(arguments: [
    "3283", "999999", "1000000", "2147483648", "18446744073709551617", "99999999999999999999999",
  ])
  func `a number above the latest is rejected, however large`(typed: String) throws {
    let latest = try #require(Comic.Number(3282))
    #expect(Choice(Text(string: typed), latest: latest) == .rejected(.aboveLatest(latest)))
  }

  @Test(arguments: ["404", "#404", "0404"])
  func `the missing number is a separate case`(typed: String) throws {
    let latest = try #require(Comic.Number(3282))
    #expect(Choice(Text(string: typed), latest: latest) == .missing(latest: latest))
  }

  @Test(arguments: ["", "353", "404", "abc"])
  func `nothing is chosen where no comic is known`(typed: String) {
    #expect(Choice(Text(string: typed), latest: nil) == .nothingKnown)
  }

  @Test(
    arguments: [
      (Choice.Problem.empty, 400), (.notANumber, 400), (.belowFirst, 404), (.aboveLatest(.first), 404),
    ]
  )
  func `what is not a number is a bad request, and a number without a comic is not found`(
    problem: Choice.Problem,
    status: Int
  ) {
    #expect(problem.status == status)
  }
}
