// Longbox
// SPDX-License-Identifier: MIT

public import Foundation

/// Files that only their owner may read.
public enum PrivateFile {
  /// Replaces a file atomically by one with permissions 0600, whatever the umask.
  ///
  /// It doesn't wait for the disk: after a power cut the file may be empty.
  /// - Parameters:
  ///   - bytes: the new content.
  ///   - location: the file. Only one task at a time may write it.
  /// - Throws: an error with the path and the system's error number.
  public static func write(_ bytes: [UInt8], to location: URL) throws {
    let fresh = location.path + ".new"
    // A file that a killed process left may have other permissions.
    unlink(fresh)
    do {
      try OpenFile(fresh, O_WRONLY | O_CREAT | O_EXCL).write(bytes)
      guard rename(fresh, location.path) == 0 else { throw FileError(path: location.path) }
    } catch {
      unlink(fresh)
      throw error
    }
  }
}
