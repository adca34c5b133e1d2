// Longbox
// SPDX-License-Identifier: MIT

import Foundation

/// Why the certificates can't be used; the description says what to do.
public struct TLSError: Error, Equatable, Sendable, CustomStringConvertible {
  /// One or two sentences.
  public let description: String
}

/// Files that only their owner may read.
enum PrivateFile {
  /// Writes a file atomically, with permissions 0600.
  static func write(_ text: String, to file: URL) throws {
    let fresh = file.path + ".new"
    // Left by a process that was killed while writing.
    unlink(fresh)
    let descriptor = open(fresh, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw problem(fresh) }
    defer { close(descriptor) }
    let bytes = Array(text.utf8)
    guard Foundation.write(descriptor, bytes, bytes.count) == bytes.count, fsync(descriptor) == 0 else {
      throw problem(fresh)
    }
    guard rename(fresh, file.path) == 0 else { throw problem(file.path) }
  }

  /// Makes a folder with permissions 0700.
  static func makeFolder(_ folder: URL) throws {
    try FileManager.default.createDirectory(
      at: folder,
      withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700]
    )
  }

  private static func problem(_ path: String) -> TLSError {
    TLSError(
      description: "Longbox can't write \(path): \(String(cString: strerror(errno))). "
        + "Check that you may write there."
    )
  }
}
