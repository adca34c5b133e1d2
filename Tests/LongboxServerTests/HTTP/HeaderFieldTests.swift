// Longbox
// SPDX-License-Identifier: MIT

import Testing

@testable import LongboxServer

@Suite struct `Reading header fields` {
  @Test(arguments: [
    (nil, false), ("", false), ("gzip", true), ("GZIP", true), ("deflate", false), ("br, gzip", true),
    ("gzip;q=0", false), ("gzip; q=0.0", false), ("gzip;q=0.001", true), ("*", true), ("*;q=0", false),
    ("identity, *;q=0", false), ("*;q=0, gzip", true), ("*, gzip;q=0", false), ("gzip;q=x", true),
    ("xgzip", false),
    (", ,", false), ("gzip;;q=0", false),
  ])
  func `whether gzip is taken`(header: String?, isAccepted: Bool) {
    #expect(Gzip.isAccepted(header) == isAccepted)
  }

  @Test(arguments: [
    (nil, ByteRange.whole), ("bytes=0-", .part(0..<10)), ("bytes=0-0", .part(0..<1)),
    ("bytes=2-5", .part(2..<6)),
    ("bytes=5-99", .part(5..<10)), ("bytes=9-", .part(9..<10)), ("bytes=-3", .part(7..<10)),
    ("bytes=-99", .part(0..<10)), ("bytes=-0", .unsatisfiable), ("bytes=10-", .unsatisfiable),
    ("bytes=10-12", .unsatisfiable), ("bytes=5-2", .whole), ("bytes=", .whole), ("bytes=-", .whole),
    ("bytes=a-b", .whole), ("bytes=1-2,4-5", .whole), ("lines=1-2", .whole), ("bytes", .whole),
    ("bytes=1--2", .whole), ("bytes=+1-2", .whole), ("bytes=99999999999999999999-", .whole),
    ("bytes=0-99999999999999", .part(0..<10)), ("bytes=１-2", .whole),
  ])
  func `which part of ten bytes is meant`(header: String?, range: ByteRange) {
    #expect(ByteRange(header, of: 10) == range)
  }

  @Test(arguments: [
    (nil, false), ("", false), ("\"a\"", true), ("W/\"a\"", true), ("\"b\"", false), ("\"b\", \"a\"", true),
    ("\"b\",\t W/\"a\" ", true), ("*", true), ("a", false), ("\"a", false), ("\"ab\"", false),
  ])
  func `whether a reader has it already`(header: String?, matches: Bool) {
    #expect(EntityTag(value: "a").matches(ifNoneMatch: header) == matches)
  }
}
