// Longbox
// SPDX-License-Identifier: MIT

import Foundation

enum OpenFiles {
  /// Raises the soft limit to 8,192, as far as the hard limit allows; the usual 1,024 are too few for
  /// readers and push services together.
  static func raise() {
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0, limit.rlim_cur < wanted else { return }
    limit.rlim_cur = min(limit.rlim_max, wanted)
    _ = setrlimit(resource, &limit)
  }

  private static let wanted: rlim_t = 8192

  #if os(Linux)
  private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  #else
  private static let resource = RLIMIT_NOFILE
  #endif
}
