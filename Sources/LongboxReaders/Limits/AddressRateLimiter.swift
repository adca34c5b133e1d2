// Longbox
// SPDX-License-Identifier: MIT

public import Foundation
import Synchronization

/// Limits how often the clients of one address, and all clients together, may do something.
public final class AddressRateLimiter: Sendable {
  /// This many times at once, then once in an interval.
  ///
  /// All it needs to know is when the whole burst will be allowed again (the generic cell rate algorithm, ITU-T I.371).
  struct Rate: Sendable {
    let burst: Int
    /// In seconds.
    let interval: TimeInterval

    /// When the whole burst will be allowed again; `stored` is what was known before.
    func full(_ stored: Date, at now: Date) -> Date {
      // A clock that was set back must not lock anybody out.
      min(max(stored, now), now + interval * Double(burst))
    }

    /// The seconds until the next time; negative or 0 if it is allowed now.
    func wait(_ full: Date, at now: Date) -> TimeInterval {
      full.timeIntervalSince(now) - interval * Double(burst - 1)
    }
  }

  private struct State {
    var fullAt: [ClientAddress: Date] = [:]
    var allFullAt = Date.distantPast
  }

  /// The maximum number of addresses that are remembered.
  private static let addressLimit = 10_000

  private let each: Rate
  private let all: Rate
  private let state = Mutex(State())

  init(each: Rate, all: Rate) {
    self.each = each
    self.all = all
  }

  /// Makes a limiter; all clients together may do it eight times as often as one address.
  /// - Parameter perHour: how often an address may do it in an hour, also at once; at least 1.
  public convenience init(perHour: Int) {
    let burst = max(perHour, 1)
    let interval = 3600 / Double(burst)
    self.init(
      each: Rate(burst: burst, interval: interval),
      all: Rate(burst: 8 * burst, interval: interval / 8)
    )
  }

  /// Counts one time.
  /// - Returns: nil if it is allowed; otherwise the seconds until the next time, and nothing is counted.
  public func take(_ address: ClientAddress, at now: Date) -> Int? {
    state.withLock { state in
      let mine = each.full(state.fullAt[address] ?? now, at: now)
      let common = all.full(state.allFullAt, at: now)
      if state.fullAt[address] != nil { state.fullAt[address] = mine }
      state.allFullAt = common
      let wait = max(each.wait(mine, at: now), all.wait(common, at: now))
      // Rounding must not make the last one of a burst wait.
      guard wait < 0.001 else { return Int(wait.rounded(.up)) }
      if state.fullAt.count >= Self.addressLimit { state.fullAt = state.fullAt.filter { $0.value > now } }
      if state.fullAt.count >= Self.addressLimit { state.fullAt = [:] }
      state.fullAt[address] = mine + each.interval
      state.allFullAt = common + all.interval
      return nil
    }
  }

  /// Takes back what was counted last, and all else of the address.
  func giveBack(_ address: ClientAddress) {
    state.withLock { state in
      state.fullAt[address] = nil
      state.allFullAt -= all.interval
    }
  }
}
