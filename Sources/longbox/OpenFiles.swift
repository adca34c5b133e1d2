// Longbox
// SPDX-License-Identifier: MIT

import Foundation

enum OpenFiles {
  /// Raises the soft limit to `enough`, as far as the hard limit allows; the usual 1,024 are too few for
  /// readers and push services together.
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
