// Longbox
// SPDX-License-Identifier: MIT

import Foundation

/// A file that goes into a backup.
struct BackupSource: Sendable {
  /// Where it is on the disk.
  let location: URL
  /// Its path in the backup, which is that in the data folder.
  let name: String
  /// Makes sure that it is on the disk.
  let bringToDisk: @Sendable () async throws -> Void

  /// A file that is on the disk.
  init(_ location: URL, as name: String) {
    self.location = location
    self.name = name
    bringToDisk = {}
  }

  /// A picture, which an engine may keep elsewhere.
  init(_ file: PictureFile, in folder: PictureFolder, of engine: any StoreEngine) {
    location = engine.location(of: file.name, in: folder)
    name = "\(folder.rawValue)/\(file.name.value)"
    bringToDisk = { _ = try await engine.bringToDisk(file, in: folder) }
  }
}
