// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxReaders
import Testing

@Suite struct `The rate of an address` {
  private let start = Date(timeIntervalSince1970: 1_800_000_000)
  private let one = ClientAddress([192, 0, 2, 1])
  private let other = ClientAddress([192, 0, 2, 2])

  @Test func `allows a burst, and then one at a time`() {
    let limiter = AddressRateLimiter(perHour: 6)
    for _ in 0..<6 { #expect(limiter.take(one, at: start) == nil) }
    #expect(limiter.take(one, at: start) == 600)
    #expect(limiter.take(one, at: start + 599) == 1)
    #expect(limiter.take(one, at: start + 600) == nil)
    #expect(limiter.take(one, at: start + 600) == 600)
  }

  @Test func `leaves others alone until all together are too many`() {
    let limiter = AddressRateLimiter(perHour: 6)
    while limiter.take(one, at: start) == nil {}
    #expect(limiter.take(other, at: start) == nil)
    var allowed = 7
    for last in UInt8(3)...40 {
      while limiter.take(ClientAddress([192, 0, 2, last]), at: start) == nil { allowed += 1 }
    }
    #expect(allowed == 48)
  }

  @Test func `locks nobody out when the clock is set back`() {
    let limiter = AddressRateLimiter(perHour: 6)
    for _ in 0..<6 { _ = limiter.take(one, at: start + 1_000_000) }
    #expect(limiter.take(one, at: start) == 600)
    #expect(limiter.take(one, at: start + 600) == nil)
  }

  @Test func `counts an IPv6 network of 64 bits as one, and a mapped IPv4 address as IPv4`() {
    let network: [UInt8] = [0x20, 0x01, 0x0D, 0xB8, 0, 0, 0, 1]
    let first = ClientAddress(network + [0, 0, 0, 0, 0, 0, 0, 1])
    #expect(first == ClientAddress(network + [1, 2, 3, 4, 5, 6, 7, 8]))
    #expect(first != ClientAddress([0x20, 0x01, 0x0D, 0xB8, 0, 0, 0, 2] + [0, 0, 0, 0, 0, 0, 0, 1]))
    let mapped = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF, 192, 0, 2, 1]
    #expect(ClientAddress(mapped) == one)
  }
}
