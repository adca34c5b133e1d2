// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import Logging
import LongboxServer

#if os(Linux)
import CMalloc
import Foundation
#endif

/// What glibc's allocator keeps for later.
enum MemoryArenas {
  /// Limits glibc to two arenas.
  ///
  /// glibc creates up to eight per core and never frees them; on two cores they took 10 MB of 40.
  static func bound() {
    #if os(Linux)
    _ = mallopt(M_ARENA_MAX, 2)
    #endif
  }

  /// Returns free memory to the system after much was in use, until the task is cancelled.
  ///
  /// glibc returns only what lies at the end of an arena. After 64 long responses it kept 100 MB for good.
  static func trim() async {
    #if os(Linux)
    var lowest = resident
    while (try? await Task.sleep(for: .seconds(15))) != nil {
      // Little more than ever isn't worth the time.
      guard resident > lowest + (8 << 20) else { continue }
      _ = malloc_trim(0)
      lowest = min(lowest, resident)
    }
    #endif
  }

  #if os(Linux)
  /// The memory of this process, in bytes; 0 if the system doesn't tell.
  private static var resident: Int {
    // The second number, in pages (proc(5)).
    guard let file = FileManager.default.contents(atPath: "/proc/self/statm"),
      let pages = Int(String(decoding: file, as: UTF8.self).split(separator: " ").dropFirst().first ?? "")
    else { return 0 }
    return pages * sysconf(Int32(_SC_PAGESIZE))
  }
  #endif
}

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

enum PrivateFiles {
  private static let mask: mode_t = 0o077
  /// The mask that the person's shell gave this program; the first use replaces it.
  private static let usualMask = umask(mask)

  /// From here on, new files get permissions 0600 and new folders 0700, also those that linked code such as SQLite makes.
  static func begin() {
    _ = usualMask
  }

  /// Runs work that starts another program, with the mask that the person's shell set.
  static func lifted(_ work: () -> Void) {
    umask(usualMask)
    work()
    umask(mask)
  }
}
