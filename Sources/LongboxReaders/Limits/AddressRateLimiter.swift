// Longbox
// SPDX-License-Identifier: MIT

public import Foundation
import Synchronization

/// Limits how often the clients of one address, and all clients together, may do something.
///
/// Each rate is one instant (the generic cell rate algorithm, ITU-T I.371).
public final class AddressRateLimiter: Sendable {
  private struct State {
    var fullAt: [ClientAddress: Date] = [:]
    var allFullAt = Date.distantPast
  }

  /// All clients together may do this many times as much as one address.
  private static let share = 8
  /// The maximum number of addresses that are remembered.
  private static let addressLimit = 10_000

  private let burst: Int
  private let interval: TimeInterval
  private let state = Mutex(State())

  /// Makes a limiter.
  /// - Parameter perHour: how often an address may do it in an hour, also at once; at least 1.
  public init(perHour: Int) {
    burst = max(perHour, 1)
    interval = 3600 / Double(burst)
  }

  /// Counts one time.
  /// - Returns: nil if it is allowed; otherwise the seconds until the next time, and nothing is counted.
  public func take(_ address: ClientAddress, at now: Date) -> Int? {
    state.withLock { state in
      let whole = interval * Double(burst)
      // A clock that was set back must not lock anybody out.
      let mine = min(max(state.fullAt[address] ?? now, now), now + whole)
      let all = min(max(state.allFullAt, now), now + whole)
      if state.fullAt[address] != nil { state.fullAt[address] = mine }
      state.allFullAt = all
      let slack = interval * Double(burst - 1)
      let wait = max(
        mine.timeIntervalSince(now) - slack,
        all.timeIntervalSince(now) - (whole - interval / Double(Self.share))
      )
      // Rounding must not make the last one of a burst wait.
      guard wait < 0.001 else { return Int(wait.rounded(.up)) }
      if state.fullAt.count >= Self.addressLimit { state.fullAt = state.fullAt.filter { $0.value > now } }
      if state.fullAt.count >= Self.addressLimit { state.fullAt = [:] }
      state.fullAt[address] = mine + interval
      state.allFullAt = all + interval / Double(Self.share)
      return nil
    }
  }
}
