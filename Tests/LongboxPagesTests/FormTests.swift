// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import TestSupport
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

@Suite struct MultipartFormTests {
  /// A form as Chromium and Firefox send it.
  private static let sent = """
    --X\r\nContent-Disposition: form-data; name="file"; filename="my; \\"list\\".txt"\r\nContent-Type: text/plain\r\n\r\n\
    353\r\n--Y\r\n\r\n--X\r\nContent-Disposition: form-data; name="text"\r\n\r\n\r\n--X--\r\n
    """

  @Test func `has the submitted fields`() throws {
    let form = try MultipartForm(Text(string: Self.sent), boundary: "X")
    #expect(form["file"] == Array("353\r\n--Y\r\n".utf8))
    #expect(form["text"] == [])
    #expect(form["other"] == nil)
  }

  @Test func `has its boundary in its first line, too`() throws {
    let form = try MultipartForm(Text(string: Self.sent))
    #expect(try form == MultipartForm(Text(string: Self.sent), boundary: "X"))
    for body in ["", "--", "--\r\n", "X\r\n", "--" + String(repeating: "X", count: 71) + "\r\n"] {
      #expect(throws: ImportError.malformedForm) { try MultipartForm(Text(string: body)) }
    }
  }

  @Test(arguments: [
    "", "--X", "--X\r\n", "--X\r\n\r\n--X--", "nothing of the kind",
    "--X\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1",
    "--X\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--X",
    "--X\r\nContent-Disposition: form-data\r\n\r\n1\r\n--X--",
    "--X\r\nContent-Disposition: attachment; name=\"a\"\r\n\r\n1\r\n--X--",
    "--X\nContent-Disposition: form-data; name=\"a\"\n\n1\n--X--",
    String(repeating: "--X\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n", count: 2) + "--X--",
    "--X\r\nx: " + String(repeating: "y", count: 5_000)
      + "\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--X--",
    (0..<20).map { "--X\r\nContent-Disposition: form-data; name=\"\($0)\"\r\n\r\n1\r\n" }.joined() + "--X--",
  ])
  func `is rejected if no browser would write it`(body: String) {
    #expect(throws: ImportError.malformedForm) { try MultipartForm(Text(string: body), boundary: "X") }
  }

  @Test(arguments: 0..<200)
  func `is parsed or rejected after any damage`(seed: Int) {
    var dice = SeededGenerator(seed: UInt64(seed))
    var bytes = Array(Self.sent.utf8)
    for _ in 0..<Int.random(in: 1...4, using: &dice) {
      let place = Int.random(in: bytes.indices, using: &dice)
      switch Int.random(in: 0..<3, using: &dice) {
      case 0: bytes[place] = UInt8.random(in: 0...255, using: &dice)
      case 1: bytes.remove(at: place)
      default: bytes = Array(bytes.prefix(place + 1))
      }
    }
    do {
      let form = try MultipartForm(Text(bytes), boundary: "X")
      #expect((form["file"] ?? []).count <= bytes.count)
    } catch {
      #expect(error == .malformedForm, "seed \(seed)")
    }
  }
}
