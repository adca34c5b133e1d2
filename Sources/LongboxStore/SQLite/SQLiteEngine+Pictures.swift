// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import GRDB

extension SQLiteEngine {
  private func files(in folder: PictureFolder) -> PictureFiles {
    switch folder {
    case .pictures: files
    case .artwork: artworkFiles
    }
  }

  func location(of name: ContentName, in folder: PictureFolder) -> URL {
    files(in: folder).location(of: name)
  }

  /// Stores pictures in a safe order: writes the files, then their rows, then removes the replaced files.
  func writePictures(
    _ new: [NewPictureFile],
    in folder: PictureFolder,
    after check: @escaping @Sendable (any StoreTables) throws -> Void,
    _ change: @escaping @Sendable (any StoreTables) throws -> Set<ContentName>
  ) async throws(StoreError) {
    let files = files(in: folder)
    try await writeFiles { database in
      let tables = SQLiteTables(database: database)
      try check(tables)
      for file in new { try files.write(file.bytes, as: file.name) }
      var leaving: Set<ContentName> = []
      try database.inTransaction(.immediate) {
        leaving = try change(tables)
        return .commit
      }
      for name in leaving where try !tables.uses(name, in: folder) { try files.remove(name) }
    }
  }

  func readPicture(
    in folder: PictureFolder,
    _ find: @escaping @Sendable (any StoreTables) throws -> PictureFile?
  ) async throws(StoreError) -> (file: PictureFile, bytes: [UInt8]?)? {
    let files = files(in: folder)
    return try await read { tables in
      guard let file = try find(tables) else { return nil }
      return (file, try files.read(file.name, byteCount: file.byteCount))
    }
  }

  func bringToDisk(_ file: PictureFile, in folder: PictureFolder) async throws(StoreError) -> Bool {
    files(in: folder).isWhole(file.name, byteCount: file.byteCount)
  }

  func forgetDamagedPicture(_ name: ContentName) async throws(StoreError) {
    try await writeFiles { [files] database in
      let table = SQLitePictureTable(database: database)
      guard let byteCount = try table.byteCount(of: name) else { return }
      guard !files.isWhole(name, byteCount: byteCount) else { return }
      try database.inTransaction(.immediate) {
        try table.forget(name)
        return .commit
      }
      try files.remove(name)
    }
  }

  func sweepPictures() async throws(StoreError) -> PictureTotals {
    try await writeFiles { [files, artworkFiles] database in
      var removed = PictureTotals()
      let tables = [
        (files, try SQLitePictureTable(database: database).files().map(\.name)),
        (artworkFiles, try SQLiteAlbumTable(database: database).artworkFiles().map(\.name)),
      ]
      for (files, names) in tables {
        let known = Set(names)
        for (name, byteCount) in try files.all() where !known.contains(name) {
          try files.remove(name)
          removed.files += 1
          removed.bytes += byteCount
        }
      }
      return removed
    }
  }
}
