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
