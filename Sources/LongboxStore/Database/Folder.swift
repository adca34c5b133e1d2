// Longbox
// SPDX-License-Identifier: MIT

import Foundation

/// The making of folders that are their owner's alone.
enum Folder {
  /// Makes a folder, and those above it that are missing, with permissions 0700.
  ///
  /// One that is there already keeps the permissions that its owner gave it; what is made inside is closed to
  /// others in any case.
  static func make(_ folder: URL) throws(FileError) {
    if mkdir(folder.path, 0o700) == 0 { return }
    switch errno {
    case EEXIST:
      var status = stat()
      guard stat(folder.path, &status) == 0 else { throw FileError(path: folder.path) }
      guard status.st_mode & S_IFMT == S_IFDIR else { throw FileError(path: folder.path, number: ENOTDIR) }
    case ENOENT:
      let parent = folder.deletingLastPathComponent()
      guard parent.path != folder.path else { throw FileError(path: folder.path) }
      try make(parent)
      guard mkdir(folder.path, 0o700) == 0 || errno == EEXIST else { throw FileError(path: folder.path) }
    default:
      throw FileError(path: folder.path)
    }
  }
}
