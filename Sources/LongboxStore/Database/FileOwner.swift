// Longbox
// SPDX-License-Identifier: MIT

import Foundation

/// The user and group that own a data folder.
///
/// Only root may replace the folder of a service, and the service must be able to read the new one.
struct FileOwner {
  private let user: uid_t
  private let group: gid_t

  /// The owner of a file or folder.
  init(of location: URL) throws(FileError) {
    var status = stat()
    guard stat(location.path, &status) == 0 else { throw FileError(path: location.path) }
    (user, group) = (status.st_uid, status.st_gid)
  }

  /// Makes this the owner of a file, or of a folder with everything in it; does nothing unless root runs it.
  func own(_ location: URL) throws(FileError) {
    guard geteuid() == 0 else { return }
    let names = FileManager.default.enumerator(atPath: location.path)?.compactMap { $0 as? String } ?? []
    for path in [location.path] + names.map({ location.appending(path: $0).path }) {
      guard lchown(path, user, group) == 0 else { throw FileError(path: path) }
    }
  }
}
