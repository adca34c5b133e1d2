// Longbox
// SPDX-License-Identifier: MIT

public import Foundation
public import LongboxStore
import Synchronization

/// Limits how often the clients of one address, and all clients together, may do something.
public protocol RateLimiter: Sendable {
  /// Counts one time.
  /// - Returns: nil if it is allowed; otherwise the seconds until the next time, and nothing is counted.
  func take(_ address: ClientAddress, at now: Date) async throws(StoreError) -> Int?

  /// Takes one count back, because what was counted has failed.
  func refund(_ address: ClientAddress, at now: Date) async throws(StoreError)

  /// Forgets what was counted for the address, and takes the last count off the total of all addresses.
  func forget(_ address: ClientAddress, at now: Date) async throws(StoreError)
}

/// An event that is limited; nodes count it together under its name.
public enum LimitedEvent: String, Sendable {
  /// Libraries that are started.
  case newLibraries
  /// Subscriptions to notifications.
  case newSubscriptions
  /// Codes for pairing that are asked for.
  case newCodes
  /// Tries to pair with a code that doesn't exist.
  case unknownCodes
  /// Wrong passphrases and sign-in codes.
  case wrongPassphrases
}

extension Store {
  /// Limits how often an address may do something in an hour; all nodes of a shared store count together.
  public func limiter(of event: LimitedEvent, perHour: Int) -> any RateLimiter {
    limiter(of: event, RatePair(perHour: perHour))
  }

  func limiter(of event: LimitedEvent, _ rates: RatePair) -> any RateLimiter {
    guard let shared else { return AddressRateLimiter(rates) }
    return SharedRateLimiter(shared, event, rates)
  }
}

/// An address has made too many new libraries or subscriptions.
public struct TooManyNew: Error, Equatable, Sendable {
  /// The seconds until it may start the next one.
  public let retryAfter: Int

  public init(retryAfter: Int) {
    self.retryAfter = retryAfter
  }
}

/// How often an address may do something, and how often all addresses together may.
struct RatePair: Sendable {
  /// Allows a burst, and then one time in each interval (the generic cell rate algorithm, ITU-T I.371).
  ///
  /// The only state is a date: when the whole burst will be allowed again.
  struct Rate: Sendable {
    /// At least 1.
    let burst: Int
    /// In seconds.
    let interval: TimeInterval

    /// When the whole burst will be allowed again; `stored` is the stored state.
    func full(_ stored: Date?, at now: Date) -> Date {
      // A clock that was set back must not lock anybody out.
      min(max(stored ?? now, now), now + interval * Double(burst))
    }

    /// The seconds until the next `count` times; negative or 0 if they are allowed now.
    func wait(_ full: Date, for count: Int, at now: Date) -> TimeInterval {
      full.timeIntervalSince(now) - interval * Double(burst - count)
    }
  }

  let each: Rate
  /// Nil if all together may do it as often as each alone may.
  let all: Rate?

  init(each: Rate, all: Rate?) {
    self.each = each
    self.all = all
  }

  /// All addresses together may do it eight times as often as one.
  /// - Parameter perHour: how often an address may do it in an hour, also at once; at least 1.
  init(perHour: Int) {
    let burst = max(perHour, 1)
    let interval = 3600 / Double(burst)
    self.init(
      each: Rate(burst: burst, interval: interval),
      all: Rate(burst: 8 * burst, interval: interval / 8)
    )
  }

  /// Counts one time, or several together.
  /// - Returns: nil if it is allowed; otherwise the seconds until the next time, and nothing is counted.
  func take(_ use: inout LimitUse, count: Int = 1, at now: Date) -> Int? {
    let mine = each.full(use.address, at: now)
    let common = all?.full(use.all, at: now)
    if use.address != nil { use.address = mine }
    use.all = common
    var wait = each.wait(mine, for: count, at: now)
    if let all, let common { wait = max(wait, all.wait(common, for: count, at: now)) }
    // Rounding must not make the last one of a burst wait.
    guard wait < 0.001 else { return Int(wait.rounded(.up)) }
    use.address = mine + each.interval * Double(count)
    if let all { use.all = common.map { $0 + all.interval * Double(count) } }
    return nil
  }

  /// Takes one count back, or several.
  func refund(_ use: inout LimitUse, count: Int = 1) {
    use.address = use.address.map { $0 - each.interval * Double(count) }
    if let all { use.all = use.all.map { $0 - all.interval * Double(count) } }
  }

  /// Forgets what was counted for the address, and takes the last count off the total of all addresses.
  func forget(_ use: inout LimitUse) {
    refund(&use)
    use.address = nil
  }
}

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

  /// Asks without counting.
  /// - Returns: the seconds until the next time; nil if it is allowed now.
  public func wait(_ address: ClientAddress, at now: Date) -> Int? {
    state.withLock { state in
      var use = LimitUse(address: state.fullAt[address], all: state.allFullAt)
      return rates.take(&use, at: now)
    }
  }

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

/// Counts in the database, so that a client gets no more from several nodes than from one.
struct SharedRateLimiter: RateLimiter {
  private let store: SharedStore
  private let event: LimitedEvent
  private let rates: RatePair

  init(_ store: SharedStore, _ event: LimitedEvent, _ rates: RatePair) {
    self.store = store
    self.event = event
    self.rates = rates
  }

  func take(_ address: ClientAddress, at now: Date) async throws(StoreError) -> Int? {
    let rates = rates
    return try await store.changeLimit(event.rawValue, of: "\(address)", at: now) { use in
      rates.take(&use, at: now)
    }
  }

  func refund(_ address: ClientAddress, at now: Date) async throws(StoreError) {
    let rates = rates
    try await store.changeLimit(event.rawValue, of: "\(address)", at: now) { use in rates.refund(&use) }
  }

  func forget(_ address: ClientAddress, at now: Date) async throws(StoreError) {
    let rates = rates
    try await store.changeLimit(event.rawValue, of: "\(address)", at: now) { use in rates.forget(&use) }
  }
}
