// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import Synchronization

/// The names and addresses of this machine, read again when they are half a minute old.
final class MachineWatch: Sendable {
  private static let age: TimeInterval = 30
  private let configured: [String]
  private let now: @Sendable () -> Date
  private let state: Mutex<(names: MachineNames, read: Date)>

  init(_ configured: [String], now: @escaping @Sendable () -> Date) {
    self.configured = configured
    self.now = now
    state = Mutex((MachineNames.current(configured), now()))
  }

  var current: MachineNames {
    let now = now()
    return state.withLock { state in
      if abs(now.timeIntervalSince(state.read)) >= Self.age {
        state = (MachineNames.current(configured), now)
      }
      return state.names
    }
  }
}
