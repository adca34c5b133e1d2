// Longbox
// SPDX-License-Identifier: MIT

import CPostgres
import Foundation

extension PostgresSession {
  /// Waits for a notification, and removes all that have arrived.
  /// - Returns: false if none arrived in time.
  /// - Throws: `connectionLost`.
  func hasNotifications(within limit: Duration) throws(PostgresError) -> Bool {
    if takeNotifications() { return true }
    guard try isReadable(within: limit) else { return false }
    return takeNotifications()
  }

  private func takeNotifications() -> Bool {
    var hasTaken = false
    while lbx_pg_take_notification(connection) == 1 { hasTaken = true }
    return hasTaken
  }

  /// Waits for input, and reads it.
  private func isReadable(within limit: Duration) throws(PostgresError) -> Bool {
    guard isReady(for: POLLIN, within: limit) else { return false }
    guard lbx_pg_consume_input(connection) == 1 else { throw lost() }
    return true
  }
}
