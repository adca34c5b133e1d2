// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxStore

/// How often an address may do something, and how often all addresses together may.
struct RatePair: Sendable {
  /// Allows a burst, and then one time in each interval (the generic cell rate algorithm, ITU-T I.371).
  ///
  /// The only state is a date: when the whole burst will be allowed again.
  struct Rate: Sendable {
    let burst: Int
    /// In seconds.
    let interval: TimeInterval

    /// When the whole burst will be allowed again; `stored` is the stored state.
    func full(_ stored: Date?, at now: Date) -> Date {
      // A clock that was set back must not lock anybody out.
      min(max(stored ?? now, now), now + interval * Double(burst))
    }

    /// The seconds until the next time; negative or 0 if it is allowed now.
    func wait(_ full: Date, at now: Date) -> TimeInterval {
      full.timeIntervalSince(now) - interval * Double(burst - 1)
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

  /// Counts one time.
  /// - Returns: nil if it is allowed; otherwise the seconds until the next time, and nothing is counted.
  func take(_ use: inout LimitUse, at now: Date) -> Int? {
    let mine = each.full(use.address, at: now)
    let common = all?.full(use.all, at: now)
    if use.address != nil { use.address = mine }
    use.all = common
    var wait = each.wait(mine, at: now)
    if let all, let common { wait = max(wait, all.wait(common, at: now)) }
    // Rounding must not make the last one of a burst wait.
    guard wait < 0.001 else { return Int(wait.rounded(.up)) }
    use.address = mine + each.interval
    if let all { use.all = common.map { $0 + all.interval } }
    return nil
  }

  /// Takes one count back.
  func refund(_ use: inout LimitUse) {
    use.address = use.address.map { $0 - each.interval }
    if let all { use.all = use.all.map { $0 - all.interval } }
  }

  /// Forgets what was counted for the address, and takes the last count off the total of all addresses.
  func forget(_ use: inout LimitUse) {
    refund(&use)
    use.address = nil
  }
}
