// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore
import Testing

@testable import LongboxReaders

@Suite struct `Pairing codes` {
  private let codes = InMemoryPairingCodes()
  private let start = Date(timeIntervalSince1970: 1_800_000_000)
  private let key = ReaderKey()
  private let client = ClientAddress.unknown

  @Test func `have 128 random bits and need no escaping in a URL`() {
    let drawn = Set((0..<100).map { _ in codes.offer(ReaderKey(), at: start) })
    #expect(drawn.count == 100)
    #expect(drawn.allSatisfy { $0.utf8.count == 22 })
    #expect(
      drawn.joined().allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
    )
  }

  @Test func `work once, and can be checked before`() {
    let code = codes.offer(key, at: start)
    #expect(codes.key(for: code, from: client, at: start) == .success(key))
    #expect(codes.key(for: code, from: client, at: start) == .success(key))
    #expect(codes.redeem(code, from: client, at: start) == .success(key))
    #expect(codes.redeem(code, from: client, at: start) == .failure(.used))
    #expect(codes.key(for: code, from: client, at: start) == .failure(.used))
    #expect(codes.keyOfUsed(code) == key)
  }

  @Test func `work for ten minutes`() {
    let code = codes.offer(key, at: start)
    #expect(codes.key(for: code, from: client, at: start + 599.9) == .success(key))
    #expect(codes.redeem(code, from: client, at: start + 600) == .failure(.expired))
  }

  @Test func `work again if pairing failed`() {
    let code = codes.offer(key, at: start)
    _ = codes.redeem(code, from: client, at: start)
    codes.restore(code)
    #expect(codes.redeem(code, from: client, at: start) == .success(key))
  }

  @Test func `replace the library's earlier codes, but no other library's`() {
    let other = ReaderKey()
    let (first, others) = (codes.offer(key, at: start), codes.offer(other, at: start))
    let second = codes.offer(key, at: start)
    #expect(codes.key(for: first, from: client, at: start) == .failure(.unknown))
    #expect(codes.key(for: second, from: client, at: start) == .success(key))
    #expect(codes.key(for: others, from: client, at: start) == .success(other))
  }

  @Test func `are protected against guessing by a rate limit`() {
    let code = codes.offer(key, at: start)
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

  @Test func `are removed if there are too many, oldest first`() {
    let oldest = codes.offer(key, at: start)
    let next = codes.offer(ReaderKey(), at: start + 1)
    for _ in 0..<999 { _ = codes.offer(ReaderKey(), at: start + 2) }
    #expect(codes.key(for: oldest, from: client, at: start + 2) == .failure(.unknown))
    #expect(codes.key(for: next, from: client, at: start + 2) != .failure(.unknown))
  }
}
