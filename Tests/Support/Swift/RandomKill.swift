// Longbox
// SPDX-License-Identifier: MIT

import Foundation

/// Kills this process by SIGKILL after some time, for tests of kills at random times.
/// - Parameter delay: in microseconds.
package func killThisProcess(after delay: UInt32) {
  let thread = Thread {
    usleep(delay)
    kill(getpid(), SIGKILL)
  }
  thread.start()
}
