// Longbox
// SPDX-License-Identifier: MIT

package import Foundation
import Synchronization

/// A wall clock that moves only when a test advances it.
package final class SettableTime: Sendable {
  /// The initial time: a Friday noon in January 2027, UTC.
  package static let start = Date(timeIntervalSince1970: 1_800_014_400)

  private let date = Mutex(SettableTime.start)

  package init() {}

  package var now: Date { date.withLock { $0 } }

  package func advance(by seconds: TimeInterval) {
    date.withLock { $0 += seconds }
  }
}
