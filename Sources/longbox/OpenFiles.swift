// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import Logging
import LongboxServer

/// How many files and connections this process may have open.
enum OpenFiles {
  /// Raises the soft limit to 8,192, as far as the hard limit allows; the usual 1,024 are too few for
  /// readers and push services together.
  static func raise() {
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0, limit.rlim_cur < wanted else { return }
    limit.rlim_cur = min(limit.rlim_max, wanted)
    _ = setrlimit(resource, &limit)
  }

  /// Leaves half of the files to the database, sources and push services.
  ///
  /// Clients must not use up all files: libdispatch ends a process that can open no more, since it reads the states of its
  /// threads from /proc.
  static func reserve(from limits: inout Limits, logger: Logger) {
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { return }
    let most = max(16, Int(clamping: limit.rlim_cur) / 2)
    guard limits.connections > most else { return }
    logger.warning(
      "This process may open few files, so it takes fewer connections than LONGBOX_LIMITS_CONNECTIONS. Raise the limit of open files (LimitNOFILE, ulimit -n).",
      metadata: ["files": "\(limit.rlim_cur)", "connections": "\(most)"]
    )
    limits.connections = most
  }

  private static let wanted: rlim_t = 8192

  #if os(Linux)
  private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  #else
  private static let resource = RLIMIT_NOFILE
  #endif
}
