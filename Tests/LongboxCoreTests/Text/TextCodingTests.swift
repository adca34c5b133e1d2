// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

@testable import LongboxCore

@Suite struct `The encoding by Base64` {
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

@Suite struct `The check of UTF-8` {
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

@Suite struct `A time in a file` {
  @Test(arguments: [
    ("2027-01-15T08:00:00.000Z", 1_800_000_000_000), ("2027-01-15T08:00:00Z", 1_800_000_000_000),
    ("2027-01-15T08:00:00.5Z", 1_800_000_000_500), ("2027-01-15T08:00:00.123456Z", 1_800_000_000_123),
    ("2027-01-15T10:30:00+02:30", 1_800_000_000_000), ("2027-01-15T07:00:00-0100", 1_800_000_000_000),
    ("1970-01-01T00:00:00Z", 0), ("2000-02-29T00:00:00Z", 951_782_400_000),
    ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
  ])
  func `is read`(text: String, milliseconds: UInt64) {
    #expect(Instant(Text(string: text))?.milliseconds == milliseconds)
  }

  @Test(arguments: [
    "", "soon", "2027-01-15", "2027-01-15 08:00:00Z", "2027-02-29T00:00:00Z", "2027-01-15T24:00:00Z",
    "2027-01-15T08:00:00", "2027-01-15T08:00:00.Z", "1969-12-31T23:59:59Z", "1970-01-01T00:00:00+01:00",
    "2027-01-15T08:00:00Z ", "+027-01-15T08:00:00Z", "2027-01-15T08:00:00+1",
  ])
  func `is rejected if it is none`(text: String) {
    #expect(Instant(Text(string: text)) == nil)
  }

  @Test(arguments: 0..<200)
  func `is written as Foundation does, and read again`(seed: Int) throws {
    var dice = SeededGenerator(seed: UInt64(seed))
    let instant = Instant(milliseconds: UInt64.random(in: 0..<253_402_300_800_000, using: &dice))
    let date = Date(timeIntervalSince1970: Double(instant.milliseconds) / 1000)
    #expect(Instant(instant.text) == instant)
    // Foundation rounds fractions down, so some of its times are a millisecond less.
    let seconds = String(instant.text.description.prefix(19))
    #expect(date.formatted(.iso8601).hasPrefix(seconds) || instant.milliseconds % 1000 == 0)
  }
}
