// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import Synchronization

/// The names and addresses of this machine, read again when they are half a minute old.
///
/// While one caller reads them, the others get the old ones, so no request waits for another's reading.
final class MachineNamesCache: Sendable {
  private static let age: TimeInterval = 30
  private let configured: [String]
  private let claimed: @Sendable () -> String?
  private let now: @Sendable () -> Date
  private let state: Mutex<(names: MachineNames, read: Date)>

  /// - Parameters:
  ///   - configured: the operator's names.
  ///   - claimed: a further name that the machine publishes.
  ///   - now: the time.
  init(
    _ configured: [String],
    claimed: @escaping @Sendable () -> String?,
    now: @escaping @Sendable () -> Date
  ) {
    self.configured = configured
    self.claimed = claimed
    self.now = now
    state = Mutex((MachineNames.current(configured, claimed: claimed()), now()))
  }

  var current: MachineNames {
    let now = now()
    let (names, isOld) = state.withLock { state in
      let isOld = abs(now.timeIntervalSince(state.read)) >= Self.age
      if isOld { state.read = now }
      return (state.names, isOld)
    }
    guard isOld else { return names }
    let read = MachineNames.current(configured, claimed: claimed())
    state.withLock { $0.names = read }
    return read
  }
}
