// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import Testing

@testable import LongboxPages

struct FormEncodingTests {
  @Test(
    arguments: [
      ("", ""), ("a+b", "a b"), ("%41%62", "Ab"), ("%c3%A9", "é"), ("%2B", "+"), ("100%", "100%"),
      ("%4", "%4"), ("%zz", "%zz"), ("%%41", "%A"), ("a%00b", "a\u{0}b"),
      ("a%FFb", "a\u{FFFD}b"), ("%C3", "\u{FFFD}"),
    ]
  )
  func `a field is decoded from the form encoding`(encoded: String, decoded: String) {
    #expect(FormEncoding.decode(Text(string: encoded).bytes) == Text(string: decoded))
  }

  @Test(
    arguments: [
      ("number=353", "353"), ("view=list&number=7", "7"), ("number=1&number=2", "1"), ("number", ""),
      ("number=", ""), ("number=a=b", "a=b"), ("%6Eumber=5", "5"), ("&&number=9&", "9"),
    ]
  )
  func `a field is found in a query`(query: String, value: String) {
    #expect(Request(path: "/go", query: Text(string: query)).fields["number"] == Text(string: value))
  }

  @Test(arguments: ["", "numbers=3", "Number=3", "=3", "&"])
  func `a missing field is nil`(query: String) {
    #expect(Request(path: "/go", query: Text(string: query)).fields["number"] == nil)
  }
}
