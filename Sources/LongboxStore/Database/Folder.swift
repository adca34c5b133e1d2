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

  /// Syncs a folder and all folders in it, so their entries are on the disk.
  static func sync(_ folder: URL) throws(FileError) {
    try OpenFile(folder.path, O_RDONLY).sync()
    let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    for path in names.map({ folder.appending(path: $0).path }) {
      var status = stat()
      guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { continue }
      try OpenFile(path, O_RDONLY).sync()
    }
  }
}
