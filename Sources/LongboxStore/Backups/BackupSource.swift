// Longbox
// SPDX-License-Identifier: MIT

import Foundation

/// A file that goes into a backup.
struct BackupSource: Sendable {
  /// Where it is on the disk.
  let location: URL
  /// Its path in the backup, the same as in the data folder.
  let name: String
  /// Writes the file to the disk, if it isn't there.
  let bringToDisk: @Sendable () async throws -> Void

  /// Creates a source from a file on the disk.
  init(_ location: URL, as name: String) {
    self.location = location
    self.name = name
    bringToDisk = {}
  }

  /// Creates a source from a picture, which an engine may store elsewhere.
  init(_ file: PictureFile, in folder: PictureFolder, of engine: any StoreEngine) {
    location = engine.location(of: file.name, in: folder)
    name = "\(folder.rawValue)/\(file.name.value)"
    bringToDisk = { _ = try await engine.bringToDisk(file, in: folder) }
  }
}
