// Longbox
// SPDX-License-Identifier: MIT

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
