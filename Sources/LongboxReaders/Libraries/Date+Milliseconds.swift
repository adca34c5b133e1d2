// Longbox
// SPDX-License-Identifier: MIT

package import Foundation
import LongboxStore

extension Date {
  /// Milliseconds since 1970-01-01 UTC, the time unit of libraries.
  package var milliseconds: UInt64 { UInt64(within: timeIntervalSince1970 * 1000) }
}
