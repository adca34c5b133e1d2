// Longbox
// SPDX-License-Identifier: MIT

#if os(Linux)
import CMalloc
#endif

/// How the C library hands out memory.
enum MemoryArenas {
  /// Keeps the arenas to two.
  ///
  /// glibc makes up to eight for each core, one for each thread that meets another, and gives none of them back: measured
  /// on two cores, 10 MB of a server that holds 40.
  static func bound() {
    #if os(Linux)
    _ = mallopt(M_ARENA_MAX, 2)
    #endif
  }
}
