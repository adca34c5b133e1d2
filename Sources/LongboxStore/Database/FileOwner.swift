// Longbox
// SPDX-License-Identifier: MIT

import Foundation

/// The user and group that own a data folder.
///
/// The folder of a service is restored by root, since only root may rename it; the service must then be able to read it.
struct FileOwner {
  private let user: uid_t
  private let group: gid_t

  /// The owner of a file or folder.
  init(of location: URL) throws(FileError) {
    var status = stat()
    guard stat(location.path, &status) == 0 else { throw FileError(path: location.path) }
    (user, group) = (status.st_uid, status.st_gid)
  }

  /// Gives the owner a file, or a folder with all in it; only root can, and others own what they write already.
  func own(_ location: URL) throws(FileError) {
    guard geteuid() == 0 else { return }
    let names = FileManager.default.enumerator(atPath: location.path)?.compactMap { $0 as? String } ?? []
    for path in [location.path] + names.map({ location.appending(path: $0).path }) {
      guard lchown(path, user, group) == 0 else { throw FileError(path: path) }
    }
  }
}
