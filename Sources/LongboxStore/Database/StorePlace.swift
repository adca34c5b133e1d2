// Longbox
// SPDX-License-Identifier: MIT

import Foundation

/// Where the parts of a store lie in the data folder.
struct StorePlace: Sendable {
  /// The data folder.
  let folder: URL

  /// The SQLite database, with its `-wal` and `-shm` beside it.
  var database: URL { folder.appending(path: "longbox.sqlite", directoryHint: .notDirectory) }
  /// The pictures, named by their content.
  var pictures: URL { folder.appending(path: "pictures", directoryHint: .isDirectory) }
  /// The covers of albums, named by their content.
  var artwork: URL { folder.appending(path: "artwork", directoryHint: .isDirectory) }
  /// The file that a writing process holds a lock on.
  var lock: URL { folder.appending(path: "longbox.lock", directoryHint: .notDirectory) }
}
