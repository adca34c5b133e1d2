// Longbox
// SPDX-License-Identifier: MIT

import CPostgres
import Foundation

extension PostgresSession {
  /// Waits for notifications, and takes all that have come.
  /// - Returns: whether there was one.
  /// - Throws: `connectionLost`.
  func hasNotifications(within limit: Duration) throws(PostgresError) -> Bool {
    if takeNotifications() { return true }
    guard try isReadable(within: limit) else { return false }
    return takeNotifications()
  }

  private func takeNotifications() -> Bool {
    var isHeard = false
    while lbx_pg_take_notification(connection) == 1 { isHeard = true }
    return isHeard
  }

  /// Waits for input, and reads it.
  private func isReadable(within limit: Duration) throws(PostgresError) -> Bool {
    var descriptor = pollfd(fd: lbx_pg_socket(connection), events: Int16(POLLIN), revents: 0)
    let milliseconds = limit.components.seconds * 1_000 + limit.components.attoseconds / 1_000_000_000_000_000
    guard poll(&descriptor, 1, Int32(clamping: milliseconds)) > 0 else { return false }
    guard lbx_pg_consume_input(connection) == 1 else { throw lost() }
    return true
  }
}
