// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore
import Testing

@testable import LongboxReaders

@Suite("Pairing codes") struct PairingCodesTests {
  private let codes = InMemoryPairingCodes()
  private let start = Date(timeIntervalSince1970: 1_800_000_000)
  private let key = ReaderKey()
  private let client = ClientAddress.unknown

  @Test func `have 128 random bits and need no escaping in a URL`() throws {
    let drawn = Set(try (0..<30).map { _ in try codes.offer(ReaderKey(), from: client, at: start) })
    #expect(drawn.count == 30)
    #expect(drawn.allSatisfy { $0.utf8.count == 22 })
    #expect(
      drawn.joined().allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
    )
  }

  @Test func `work once, and can be checked before`() throws {
    let code = try codes.offer(key, from: client, at: start)
    #expect(codes.key(for: code, from: client, at: start) == .success(key))
    #expect(codes.key(for: code, from: client, at: start) == .success(key))
    #expect(codes.redeem(code, from: client, at: start) == .success(key))
    #expect(codes.redeem(code, from: client, at: start) == .failure(.used))
    #expect(codes.key(for: code, from: client, at: start) == .failure(.used))
    #expect(codes.keyOfUsed(code) == key)
  }

  @Test func `work for ten minutes`() throws {
    let code = try codes.offer(key, from: client, at: start)
    #expect(codes.key(for: code, from: client, at: start + 599.9) == .success(key))
    #expect(codes.redeem(code, from: client, at: start + 600) == .failure(.expired))
  }

  @Test func `end when the clock is set back, but not for a correction of seconds`() throws {
    let code = try codes.offer(key, from: client, at: start)
    #expect(codes.key(for: code, from: client, at: start - 5) == .success(key))
    #expect(codes.redeem(code, from: client, at: start - 24 * 3600) == .failure(.expired))
  }

  @Test func `work again if pairing failed`() throws {
    let code = try codes.offer(key, from: client, at: start)
    _ = codes.redeem(code, from: client, at: start)
    codes.restore(code)
    #expect(codes.redeem(code, from: client, at: start) == .success(key))
  }

  @Test func `replace the library's earlier codes, but no other library's`() throws {
    let other = ReaderKey()
    let (first, others) = (
      try codes.offer(key, from: client, at: start), try codes.offer(other, from: client, at: start)
    )
    let second = try codes.offer(key, from: client, at: start)
    #expect(codes.key(for: first, from: client, at: start) == .failure(.unknown))
    #expect(codes.key(for: second, from: client, at: start) == .success(key))
    #expect(codes.key(for: others, from: client, at: start) == .success(other))
  }

  @Test func `are protected against guessing by a rate limit`() throws {
    let code = try codes.offer(key, from: client, at: start)
    for number in 0..<PairingCodeRules.missLimit {
      #expect(codes.redeem("guess \(number)", from: client, at: start) == .failure(.unknown))
    }
    #expect(codes.redeem("one more", from: client, at: start + 1) == .failure(.tooManyTries))
    let other = ClientAddress([127, 0, 0, 2])
    #expect(codes.redeem("one more", from: other, at: start + 1) == .failure(.unknown))
    #expect(
      codes.redeem(code, from: client, at: start + 1) == .success(key),
      "a right code works all the same"
    )
    #expect(codes.redeem("one more", from: client, at: start + 2) == .failure(.unknown))
    #expect(codes.redeem("one more", from: client, at: start + 3) == .failure(.tooManyTries))
  }

  @Test func `are given to an address at a limited rate, whatever its cookies`() throws {
    for _ in 0..<30 { _ = try codes.offer(ReaderKey(), from: client, at: start) }
    #expect(throws: TooManyNew(retryAfter: 20)) {
      try codes.offer(ReaderKey(), from: client, at: start)
    }
    _ = try codes.offer(ReaderKey(), from: client, at: start + 20)
    _ = try codes.offer(key, from: .loopback, at: start)
  }

  @Test func `of a household stay when other addresses ask for more than are kept`() throws {
    let household = ClientAddress([192, 0, 2, 1])
    let mine = try codes.offer(key, from: household, at: start)
    var last = ""
    for number in 0..<1_500 {
      let attacker = ClientAddress([198, 51, 100, UInt8(number / 30)])
      last = try codes.offer(ReaderKey(), from: attacker, at: start + 1)
    }
    #expect(codes.key(for: mine, from: household, at: start + 2) == .success(key))
    guard case .success = codes.key(for: last, from: household, at: start + 2) else {
      Issue.record("The newest code is gone.")
      return
    }
  }
}
