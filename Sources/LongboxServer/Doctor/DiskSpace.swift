// Longbox
// SPDX-License-Identifier: MIT

import Foundation

/// What a file system has left for this user.
struct DiskSpace: Equatable, Sendable {
  /// The bytes that are free.
  let free: Int
  /// All bytes.
  let total: Int
  /// How many files can still be made; nil if there is no such limit.
  let files: Int?

  /// Asks the file system of a folder; nil if the system doesn't know.
  init?(of folder: URL) {
    var status = statvfs()
    guard statvfs(folder.path, &status) == 0 else { return nil }
    free = Int(clamping: UInt64(status.f_bavail) * UInt64(status.f_frsize))
    total = Int(clamping: UInt64(status.f_blocks) * UInt64(status.f_frsize))
    files = status.f_files == 0 ? nil : Int(clamping: UInt64(status.f_favail))
  }
}
