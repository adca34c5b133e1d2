// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore

/// The right to change a data folder, which one process has at a time.
///
/// An advisory lock (flock(2)): the system lets go of it when the process ends, however it ends, so there is never a
/// stale one to be cleaned up.
final class FolderLock: Sendable {
  private let file: OpenFile

  /// Takes the lock.
  /// - Parameter place: the folder, which has to exist.
  init(_ place: StorePlace) throws {
    file = try OpenFile(place.lock.path, O_RDWR | O_CREAT)
    guard try file.lock() else { throw StoreError.inUse(folder: place.folder.path) }
  }

  /// Gives the lock up, by name: a child process that is just being started has a copy of the descriptor for a moment, and with
  /// it the lock would live on.
  func release() {
    file.unlock()
  }

  deinit { release() }
}
