// Longbox
// SPDX-License-Identifier: MIT

import Foundation

#if os(Linux)
import CFiles
#endif

/// Replaces a folder with another, and keeps the old one under a new name.
struct FolderSwap {
  /// Exchanges the names of two folders atomically; returns false if the kernel or the file system can't.
  var exchange: (_ one: String, _ other: String) -> Bool = Self.exchangeNames

  /// Puts a folder at a place.
  ///
  /// With renameat2(2) the exchange is atomic, even if the power fails. Without it there are two renames, and no folder
  /// at `place` between them.
  /// - Parameters:
  ///   - fresh: the new folder, already synced.
  ///   - place: the folder that it replaces.
  ///   - old: an unused name, for the replaced folder.
  /// - Throws: a `FileError`. All names are as before, unless only waiting for the disk failed at the end.
  func put(_ fresh: URL, at place: URL, keeping old: URL) throws {
    // First rename the new folder to `old`, so that the exchange gives both folders their final names. Under its first
    // name the old folder would be removed as an unfinished restoration.
    try Self.move(fresh, to: old)
    if !exchange(old.path, place.path) {
      try Self.move(old, to: fresh)
      try Self.move(place, to: old)
      do {
        try Self.move(fresh, to: place)
      } catch {
        try Self.move(old, to: place)
        throw error
      }
    }
    try OpenFile(place.deletingLastPathComponent().path, O_RDONLY).sync()
  }

  /// Renames a folder.
  static func move(_ source: URL, to target: URL) throws(FileError) {
    guard rename(source.path, target.path) == 0 else { throw FileError(path: source.path) }
  }

  private static func exchangeNames(_ one: String, _ other: String) -> Bool {
    #if os(Linux)
    renameat2(AT_FDCWD, one, AT_FDCWD, other, UInt32(longbox_rename_exchange)) == 0
    #else
    false
    #endif
  }
}
