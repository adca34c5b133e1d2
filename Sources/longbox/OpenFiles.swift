// Longbox
// SPDX-License-Identifier: MIT

import Foundation

/// How many files and connections the program may have open.
enum OpenFiles {
  /// Takes as many as the system grants without asking: the usual 1,024 are few for readers and push services together.
  static func raise() {
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0, limit.rlim_cur < enough else { return }
    limit.rlim_cur = min(limit.rlim_max, enough)
    _ = setrlimit(resource, &limit)
  }

  private static let enough: rlim_t = 8192

  #if os(Linux)
  private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  #else
  private static let resource = RLIMIT_NOFILE
  #endif
}
