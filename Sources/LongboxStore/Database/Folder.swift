// Longbox
// SPDX-License-Identifier: MIT

import Foundation

enum Folder {
  /// Makes a folder and its missing parents, with permissions 0700.
  ///
  /// An existing folder keeps its permissions; the files inside are private in any case.
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
