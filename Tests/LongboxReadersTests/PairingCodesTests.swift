// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore
import Testing

@testable import LongboxReaders

@Suite struct `Pairing codes` {
  private let codes = PairingCodes()
  private let start = Date(timeIntervalSince1970: 1_800_000_000)
  private let key = ReaderKey()

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
    #expect(codes.key(for: code, at: start) == .success(key))
    #expect(codes.key(for: code, at: start) == .success(key))
    #expect(codes.redeem(code, at: start) == .success(key))
    #expect(codes.redeem(code, at: start) == .failure(.used))
    #expect(codes.key(for: code, at: start) == .failure(.used))
    #expect(codes.keyOfUsed(code) == key)
  }

  @Test func `work for ten minutes`() {
    let code = codes.offer(key, at: start)
    #expect(codes.key(for: code, at: start + 599.9) == .success(key))
    #expect(codes.redeem(code, at: start + 600) == .failure(.expired))
  }

  @Test func `work again if pairing failed`() {
    let code = codes.offer(key, at: start)
    _ = codes.redeem(code, at: start)
    codes.restore(code)
    #expect(codes.redeem(code, at: start) == .success(key))
  }

  @Test func `replace the library's earlier codes, but no other library's`() {
    let other = ReaderKey()
    let (first, others) = (codes.offer(key, at: start), codes.offer(other, at: start))
    let second = codes.offer(key, at: start)
    #expect(codes.key(for: first, at: start) == .failure(.unknown))
    #expect(codes.key(for: second, at: start) == .success(key))
    #expect(codes.key(for: others, at: start) == .success(other))
  }

  @Test func `are protected against guessing by a rate limit`() {
    let code = codes.offer(key, at: start)
    for number in 0..<PairingCodes.missLimit {
      #expect(codes.redeem("guess \(number)", at: start) == .failure(.unknown))
    }
    #expect(codes.redeem("one more", at: start + 1) == .failure(.tooManyTries))
    let other = ClientAddress([127, 0, 0, 2])
    #expect(codes.redeem("one more", from: other, at: start + 1) == .failure(.unknown))
    #expect(codes.redeem(code, at: start + 1) == .success(key), "a right code works all the same")
    #expect(codes.redeem("one more", at: start + 2) == .failure(.unknown))
    #expect(codes.redeem("one more", at: start + 3) == .failure(.tooManyTries))
  }

  @Test func `are removed if there are too many, oldest first`() {
    let oldest = codes.offer(key, at: start)
    let next = codes.offer(ReaderKey(), at: start + 1)
    for _ in 0..<999 { _ = codes.offer(ReaderKey(), at: start + 2) }
    #expect(codes.key(for: oldest, at: start + 2) == .failure(.unknown))
    #expect(codes.key(for: next, at: start + 2) != .failure(.unknown))
  }
}
