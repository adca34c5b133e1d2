// Longbox
// SPDX-License-Identifier: MIT

package import Foundation

extension Date {
  /// Milliseconds since 1970-01-01 UTC, the time unit of libraries.
  package var milliseconds: UInt64 { UInt64(max(0, timeIntervalSince1970 * 1000)) }
}
