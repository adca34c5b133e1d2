// Longbox
// SPDX-License-Identifier: MIT

#if os(Linux)
import CMalloc
#endif

enum MemoryArenas {
  /// Limits glibc to two arenas.
  ///
  /// glibc creates up to eight per core and never frees them; on two cores they took 10 MB of 40.
  static func bound() {
    #if os(Linux)
    _ = mallopt(M_ARENA_MAX, 2)
    #endif
  }
}
