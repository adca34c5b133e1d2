// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore

/// One process's exclusive right to change a data folder: an advisory lock (flock(2)), which the system
/// releases when the process ends.
final class FolderLock: Sendable {
  private let file: OpenFile

  /// Takes the lock.
  /// - Parameter place: the folder, which must exist.
  init(_ place: StorePlace) throws {
    file = try OpenFile(place.lock.path, O_RDWR | O_CREAT)
    guard try file.lock() else {
      throw StoreError.inUse(folder: place.folder.path, by: LockHolder.named(in: place.lock))
    }
    LockHolder.note(in: file)
  }

  /// Releases the lock, even if a child process that is just starting has a copy of the descriptor.
  func release() {
    file.unlock()
  }

  deinit { release() }
}
