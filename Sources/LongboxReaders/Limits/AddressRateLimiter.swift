// Longbox
// SPDX-License-Identifier: MIT

public import Foundation
import LongboxStore
import Synchronization

/// Limits how often the clients of one address, and all clients together, may do something; counts in memory.
public final class AddressRateLimiter: RateLimiter {
  private struct State {
    var fullAt: [ClientAddress: Date] = [:]
    var allFullAt: Date?
  }

  /// The maximum number of addresses that are remembered.
  private static let addressLimit = 10_000

  private let rates: RatePair
  private let state = Mutex(State())

  init(_ rates: RatePair) {
    self.rates = rates
  }

  /// Makes a limit that each address has for itself.
  /// - Parameters:
  ///   - burst: how often an address may do it at once; at least 1.
  ///   - interval: the seconds between two times after that.
  public convenience init(burst: Int, interval: TimeInterval) {
    self.init(RatePair(each: .init(burst: burst, interval: interval), all: nil))
  }

  /// Counts one time.
  /// - Returns: nil if it is allowed; otherwise the seconds until the next time, and nothing is counted.
  public func take(_ address: ClientAddress, at now: Date) -> Int? { take(address, count: 1, at: now) }

  /// Counts several times together.
  func take(_ address: ClientAddress, count: Int, at now: Date) -> Int? {
    state.withLock { state in
      var use = LimitUse(address: state.fullAt[address], all: state.allFullAt)
      let wait = rates.take(&use, count: count, at: now)
      if wait == nil {
        if state.fullAt.count >= Self.addressLimit { state.fullAt = state.fullAt.filter { $0.value > now } }
        if state.fullAt.count >= Self.addressLimit { Self.forgetHalf(of: &state.fullAt) }
      }
      state.fullAt[address] = use.address
      state.allFullAt = use.all
      return wait
    }
  }

  /// Takes one count back, because what was counted has failed.
  public func refund(_ address: ClientAddress, at now: Date) { refund(address, count: 1) }

  /// Takes several counts back.
  func refund(_ address: ClientAddress, count: Int) { change(address) { rates.refund(&$0, count: count) } }

  /// Forgets what was counted for the address, and takes the last count off the total of all addresses.
  public func forget(_ address: ClientAddress, at now: Date) { change(address) { rates.forget(&$0) } }

  /// Forgets the addresses that have used the least, so that a client with many addresses can't reset its own count.
  private static func forgetHalf(of fullAt: inout [ClientAddress: Date]) {
    let most = fullAt.sorted { $0.value > $1.value }.prefix(addressLimit / 2)
    fullAt = Dictionary(uniqueKeysWithValues: most.map { ($0.key, $0.value) })
  }

  private func change(_ address: ClientAddress, _ change: (inout LimitUse) -> Void) {
    state.withLock { state in
      var use = LimitUse(address: state.fullAt[address], all: state.allFullAt)
      change(&use)
      state.fullAt[address] = use.address
      state.allFullAt = use.all
    }
  }
}
