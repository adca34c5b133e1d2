// Longbox
// SPDX-License-Identifier: MIT

import Foundation

struct StorePlace: Sendable {
  let folder: URL

  /// The SQLite database, with its `-wal` and `-shm` beside it.
  var database: URL { folder.appending(path: "longbox.sqlite", directoryHint: .notDirectory) }
  var pictures: URL { folder.appending(path: "pictures", directoryHint: .isDirectory) }
  var artwork: URL { folder.appending(path: "artwork", directoryHint: .isDirectory) }
  var lock: URL { folder.appending(path: "longbox.lock", directoryHint: .notDirectory) }
}
