// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

@testable import LongboxCore

struct Base64Tests {
  @Test(arguments: 0..<64)
  func `is that of Foundation`(count: Int) {
    var dice = SeededGenerator(seed: UInt64(count))
    let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &dice) }
    let encoded = Base64.standard.encode(bytes[...])
    #expect(encoded.description == Data(bytes).base64EncodedString())
    #expect(Base64.standard.decode(encoded) == bytes)
    let inURL = Base64.url.encode(bytes[...])
    let options: Data.Base64EncodingOptions = [.base64URLAlphabet, .omitPaddingCharacter]
    #expect(inURL.description == Data(bytes).base64EncodedString(options: options))
    #expect(Base64.url.decode(inURL) == bytes)
  }

  @Test(arguments: [
    "A", "AA", "AAA", "A===", "====", "AA=A", "A-==", "AA==AAAA", "AA= ", "é==", "AB==", "AAB=", "-_8=",
  ])
  func `is rejected if it is something else`(text: String) {
    #expect(Base64.standard.decode(Text(string: text)) == nil)
  }

  @Test(arguments: ["A", "A=", "AA==", "AAA=", "AB*", "é", "AB", "+/8"])
  func `is rejected in a URL if it is something else`(text: String) {
    #expect(Base64.url.decode(Text(string: text)) == nil)
  }
}

struct UTF8Tests {
  @Test(arguments: 0..<400)
  func `agrees with the standard library`(seed: Int) {
    var dice = SeededGenerator(seed: UInt64(seed))
    var bytes = Array("aé–😀\u{7FF}\u{800}\u{D7FF}\u{E000}\u{FFFF}\u{10FFFF}".utf8)
    for _ in 0..<Int.random(in: 0...2, using: &dice) {
      let place = Int.random(in: bytes.indices, using: &dice)
      switch Int.random(in: 0..<3, using: &dice) {
      case 0: bytes[place] = UInt8.random(in: 0x70...255, using: &dice)
      case 1: bytes.remove(at: place)
      default: bytes = Array(bytes.prefix(place + 1))
      }
    }
    #expect(bytes[...].isUTF8 == (String(validating: bytes, as: UTF8.self) != nil), "\(bytes)")
  }

  @Test func `shortens a text without cutting a character`() {
    #expect(Text("aé😀b").shortened(to: 3) == "aé😀…")
    #expect(Text("aé😀b").shortened(to: 4) == "aé😀b")
  }
}

struct XXH64Tests {
  /// Published values of the reference implementation.
  @Test(
    arguments: [
      ("", 0xEF46_DB37_51D8_E999), ("a", 0xD24E_C4F1_A98C_6E5B), ("abc", 0x44BC_2CF5_AD77_0999),
      ("Nobody inspects the spammish repetition", 0xFBCE_A83C_8A37_8BF1),
    ] as [(String, UInt64)]
  )
  func `matches the reference implementation`(text: String, expected: UInt64) {
    let bytes = Array(text.utf8)
    #expect(XXH64.hash(bytes.span.bytes) == expected)
  }
}

struct SortedIndicesTests {
  @Test(arguments: 0..<40)
  func `sorts like the standard library, and is stable`(count: Int) {
    var random = SeededGenerator(seed: UInt64(count))
    let values = (0..<count).map { _ in Int.random(in: 0..<max(1, count / 2), using: &random) }
    let expected = values.indices.sorted { (values[$0], $0) < (values[$1], $1) }
    #expect(sortedIndices(count) { values[$0] < values[$1] } == expected, "seed \(count)")
  }
}
