// Longbox
// SPDX-License-Identifier: MIT

import Testing

@testable import LongboxServer

@Suite("Parsing header fields") struct HeaderFieldTests {
  @Test(arguments: [
    (nil, false), ("", false), ("gzip", true), ("GZIP", true), ("deflate", false), ("br, gzip", true),
    ("gzip;q=0", false), ("gzip; q=0.0", false), ("gzip;q=0.001", true), ("*", true), ("*;q=0", false),
    ("identity, *;q=0", false), ("*;q=0, gzip", true), ("*, gzip;q=0", false), ("gzip;q=x", true),
    ("xgzip", false),
    (", ,", false), ("gzip;;q=0", false),
  ])
  func `finds whether gzip is accepted`(header: String?, isAccepted: Bool) {
    #expect((ContentCoding.preferred(by: header, among: [.gzip]) == .gzip) == isAccepted)
  }

  @Test(
    arguments: [
      (nil, nil), ("", nil), ("br", .brotli), ("BR", .brotli), ("gzip", .gzip), ("gzip, br", .brotli),
      ("*", .brotli),
      ("gzip, deflate, br, zstd", .brotli), ("br;q=0", nil), ("br;q=0, *", .gzip),
      ("br;q=0, gzip;q=0, *", nil),
      ("br;q=0.5, gzip;q=0.8", .gzip), ("br;Q=0.5,gzip ; q=0.8", .gzip), ("gzip;q=0.5, *;q=0.2", .gzip),
      ("*;q=0.2, br;q=0", .gzip), ("identity", nil), ("identity, gzip", .gzip), ("identity, gzip;q=0.9", nil),
      ("identity;q=0.5, *;q=0.9", .brotli), ("identity;q=0, br;q=0", nil), ("brotli", nil),
      ("br2, gzip", .gzip),
      ("br;level=5;q=0.1, gzip", .gzip), ("\tbr", .brotli), ("b", nil),
    ] as [(String?, ContentCoding?)]
  )
  func `finds the preferred coding`(header: String?, coding: ContentCoding?) {
    #expect(ContentCoding.preferred(by: header) == coding)
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
  func `finds the requested range of ten bytes`(header: String?, range: ByteRange) {
    #expect(ByteRange(header, of: 10) == range)
  }

  @Test(arguments: [
    (nil, false), ("", false), ("\"a\"", true), ("W/\"a\"", true), ("\"b\"", false), ("\"b\", \"a\"", true),
    ("\"b\",\t W/\"a\" ", true), ("*", true), ("a", false), ("\"a", false), ("\"ab\"", false),
  ])
  func `finds whether the client has the content already`(header: String?, matches: Bool) {
    #expect(EntityTag(value: "a").matches(ifNoneMatch: header) == matches)
  }
}
