// Longbox
// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import LongboxCore

struct JSONTests {
  private func value(_ text: String) throws -> JSONValue { try JSONReader.value(in: Array(text.utf8)[...]) }

  @Test(
    arguments: [
      ("null", .null), (" true\r\n", .flag(true)), ("\tfalse", .flag(false)), ("0", .number("0")),
      ("-0.5e+7", .number("-0.5e+7")), ("[]", .list([])), ("{ }", .object([])), ("\"\"", .text("")),
      ("[1, [2]]", .list([.number("1"), .list([.number("2")])])),
      ("{\"a\": {\"b\": null}}", .members(("a", .members(("b", .null))))),
      (#""\"\\\/\b\f\n\r\t""#, .text("\"\\/\u{8}\u{C}\n\r\t")),
      (#""\u00e9 \uD83D\ude00 é""#, .text("é 😀 é")),
    ] as [(String, JSONValue)]
  )
  func `is read`(text: String, expected: JSONValue) throws {
    #expect(try value(text) == expected)
  }

  @Test(arguments: [
    ("", JSONReader.Problem.endsEarly), ("[1", .endsEarly), ("{\"a\"", .endsEarly), ("\"a", .endsEarly),
    ("\"\\u12", .endsEarly), ("nu", .endsEarly), ("-", .endsEarly), ("[1,]", .mistake(line: 1)),
    ("[\n1\n2]", .mistake(line: 3)), ("{\"a\":1,}", .mistake(line: 1)), ("{a:1}", .mistake(line: 1)),
    ("01", .mistake(line: 1)), ("+1", .mistake(line: 1)), ("1.", .endsEarly), ("1 2", .mistake(line: 1)),
    ("\"\n\"", .mistake(line: 1)), (#""\x""#, .mistake(line: 1)), (#""\ud800""#, .mistake(line: 1)),
    (#""\udc00""#, .mistake(line: 1)), (#""\ud800\u0041""#, .mistake(line: 1)), ("nul1", .mistake(line: 1)),
    ("[1\u{B}]", .mistake(line: 1)), (String(repeating: "[", count: 100_000), .tooDeep),
    ("[" + String(repeating: "1,", count: 1 << 20) + "1]", .tooManyValues),
  ])
  func `is rejected with the place of the mistake`(text: String, problem: JSONReader.Problem) {
    #expect(throws: problem) { try value(text) }
  }

  @Test(arguments: [
    ("353", 353), ("-7", -7), ("353.00", 353), ("999999999999999999", 999_999_999_999_999_999),
    ("1000000000000000000", nil), ("353.5", nil), ("1e3", nil), ("\"1\"", nil),
  ])
  func `has integers`(text: String, integer: Int64?) throws {
    #expect(try value(text).integer == integer)
  }

  @Test(arguments: 0..<100)
  func `reads what it writes`(seed: Int) throws {
    var dice = SeededGenerator(seed: UInt64(seed))
    let made = Self.random(depth: 0, using: &dice)
    #expect(try JSONReader.value(in: made.indented[...]) == made, "seed \(seed)")
  }

  private static func random(depth: Int, using dice: inout SeededGenerator) -> JSONValue {
    func text() -> Text {
      var scalars = String.UnicodeScalarView()
      for _ in 0..<Int.random(in: 0...6, using: &dice) {
        let ranges: [ClosedRange<UInt32>] = [0...0x7F, 0...0xD7FF, 0xE000...0x10FFFF]
        let value = UInt32.random(in: ranges.randomElement(using: &dice) ?? 0...0x7F, using: &dice)
        if let scalar = Unicode.Scalar(value) { scalars.append(scalar) }
      }
      return Text(string: String(scalars))
    }
    switch Int.random(in: 0..<(depth < 4 ? 6 : 4), using: &dice) {
    case 0: return .null
    case 1: return .flag(Bool.random(using: &dice))
    case 2: return .integer(Int.random(in: -5_000...5_000, using: &dice))
    case 3: return .text(text())
    case 4:
      return .list(
        (0..<Int.random(in: 0...4, using: &dice)).map { _ in random(depth: depth + 1, using: &dice) }
      )
    default:
      return .object(
        (0..<Int.random(in: 0...4, using: &dice)).map { _ in
          .init(name: text(), value: random(depth: depth + 1, using: &dice))
        }
      )
    }
  }
}
