// Longbox
// SPDX-License-Identifier: MIT

public import Foundation

/// Files that only their owner may read.
public enum PrivateFile {
  /// Replaces a file atomically with one that has permissions 0600, whatever the umask.
  ///
  /// - Parameters:
  ///   - bytes: the new content.
  ///   - location: the file. Only one task at a time may write it.
  ///   - isSynced: whether to wait for the disk; otherwise the file may be empty after a power cut.
  /// - Throws: an error with the path and the system's reason.
  public static func write(_ bytes: [UInt8], to location: URL, isSynced: Bool = false) throws {
    let fresh = location.path + ".new"
    // A file that a killed process left may have other permissions.
    unlink(fresh)
    do {
      let file = try OpenFile(fresh, O_WRONLY | O_CREAT | O_EXCL)
      try file.write(bytes)
      if isSynced { try file.sync() }
      guard rename(fresh, location.path) == 0 else { throw FileError(path: location.path) }
    } catch {
      unlink(fresh)
      throw error
    }
  }

  /// Writes a new file with permissions 0600, and waits for the disk.
  /// - Throws: an error with the path and the system's reason, also if there is such a file; that stays as it is.
  public static func create(_ bytes: [UInt8], at location: URL) throws {
    let file = try OpenFile(location.path, O_WRONLY | O_CREAT | O_EXCL)
    do {
      try file.write(bytes)
      try file.sync()
    } catch {
      unlink(location.path)
      throw error
    }
  }

  /// Reads a file; nil if there is none.
  /// - Throws: an error with the path and the system's reason, also if something else is there, such as a pipe.
  public static func read(_ location: URL) throws -> [UInt8]? {
    do {
      return try OpenFile(location.path, O_RDONLY).readAll()
    } catch  where error.number == ENOENT {
      return nil
    }
  }

  /// Waits until the name of a file that was just written is on the disk.
  ///
  /// Otherwise a power cut may bring the old file back.
  /// - Throws: an error with the path and the system's reason.
  package static func syncName(of location: URL) throws {
    try OpenFile(location.deletingLastPathComponent().path, O_RDONLY).sync()
  }
}
