// Longbox
// SPDX-License-Identifier: MIT

import Foundation

#if os(Linux)
import CFiles
#endif

/// Puts a folder in the place of another one, which is kept under another name.
struct FolderSwap {
  /// Exchanges the names of two folders at once; returns false if the kernel or the file system can't.
  var exchange: (_ one: String, _ other: String) -> Bool = Self.exchangeNames

  /// Puts a folder at a place.
  ///
  /// With renameat2(2) there is a whole folder at `place` at every moment, even if the power fails. Without it, two
  /// renames leave a moment in which there is none.
  /// - Parameters:
  ///   - fresh: the new folder, whose content is on the disk.
  ///   - place: the folder that it replaces.
  ///   - old: the free name that the replaced folder gets.
  /// - Throws: a `FileError`; all names are as before then.
  func put(_ fresh: URL, at place: URL, keeping old: URL) throws {
    // The new folder has the other name first: the exchange then gives both their last names, and nothing that removes
    // unfinished restorations ever sees the old one.
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
