// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import Testing

struct HTTPDateTests {
  @Test(
    arguments: [
      ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
      ("Thu, 29 Feb 2024 23:59:59 GMT", 1_709_251_199), ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
    ] as [(String, Int64)]
  )
  func `is parsed and formatted`(text: String, seconds: Int64) {
    #expect(HTTPDate(Text(string: text))?.seconds == seconds)
    #expect(HTTPDate(seconds: seconds).text.description == text)
  }

  @Test(arguments: [
    "", "soon", "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 CET",
    "Sun, 06 Nov 1994 24:00:00 GMT",
    "Sun, 06 Nov 1994 08:49:60 GMT", "Sun, 06 Nov 1994 08:49 GMT", "Sun, 06 nov 1994 08:49:37 GMT",
    "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
  ])
  func `is rejected if it is obsolete or invalid`(text: String) {
    #expect(HTTPDate(Text(string: text)) == nil)
  }

  @Test(
    arguments: [
      (-1, "Thu, 01 Jan 1970 00:00:00 GMT"), (253_402_300_800, "Fri, 31 Dec 9999 23:59:59 GMT"),
    ] as [(Int64, String)]
  )
  func `is limited to the years with four digits`(seconds: Int64, text: String) {
    #expect(HTTPDate(seconds: seconds).text.description == text)
  }
}
