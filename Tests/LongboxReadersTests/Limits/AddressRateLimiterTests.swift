// Longbox
// SPDX-License-Identifier: MIT

import Foundation
@testable import LongboxReaders
import Testing

@Suite("The rate of an address") struct AddressRateLimiterTests {
  private let start = Date(timeIntervalSince1970: 1_800_000_000)
  private let one = ClientAddress([192, 0, 2, 1])
  private let other = ClientAddress([192, 0, 2, 2])

  @Test func `allows a burst, and then one at a time`() {
    let limiter = AddressRateLimiter(RatePair(perHour: 6))
    for _ in 0..<6 { #expect(limiter.take(one, at: start) == nil) }
    #expect(limiter.take(one, at: start) == 600)
    #expect(limiter.take(one, at: start + 599) == 1)
    #expect(limiter.take(one, at: start + 600) == nil)
    #expect(limiter.take(one, at: start + 600) == 600)
  }

  @Test func `leaves others alone until all together are too many`() {
    let limiter = AddressRateLimiter(RatePair(perHour: 6))
    while limiter.take(one, at: start) == nil {}
    #expect(limiter.take(other, at: start) == nil)
    var allowed = 7
    for last in UInt8(3)...40 {
      while limiter.take(ClientAddress([192, 0, 2, last]), at: start) == nil { allowed += 1 }
    }
    #expect(allowed == 48)
  }

  @Test func `gives back what has failed, one at a time`() {
    let limiter = AddressRateLimiter(RatePair(perHour: 6))
    for _ in 0..<6 { _ = limiter.take(one, at: start) }
    limiter.refund(one, at: start)
    #expect(limiter.take(one, at: start) == nil)
    #expect(limiter.take(one, at: start) == 600)
    limiter.forget(one, at: start)
    for _ in 0..<6 { #expect(limiter.take(one, at: start) == nil) }
    #expect(limiter.take(one, at: start) == 600)
  }

  @Test func `is kept for an address that has used all of it, when there are too many others`() {
    let limiter = AddressRateLimiter(RatePair(each: .init(burst: 3, interval: 600), all: nil))
    for _ in 0..<3 { _ = limiter.take(one, at: start) }
    for number in 0..<25_000 {
      _ = limiter.take(ClientAddress([10, 0, UInt8(number / 256), UInt8(number % 256)]), at: start)
    }
    #expect(limiter.take(one, at: start) == 600)
  }

  @Test func `locks no client out when the clock is set back`() {
    let limiter = AddressRateLimiter(RatePair(perHour: 6))
    for _ in 0..<6 { _ = limiter.take(one, at: start + 1_000_000) }
    #expect(limiter.take(one, at: start) == 600)
    #expect(limiter.take(one, at: start + 600) == nil)
  }
}
