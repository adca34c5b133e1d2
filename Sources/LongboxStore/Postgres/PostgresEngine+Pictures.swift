// Longbox
// SPDX-License-Identifier: MIT

import Foundation

/// Pictures are rows in PostgreSQL; the data folder has a cache of them.
///
/// A picture's name is a hash of its bytes, so a cached file is never stale.
extension PostgresEngine {
  private func files(in folder: PictureFolder) -> PictureFiles {
    switch folder {
    case .pictures: files
    case .artwork: artworkFiles
    }
  }

  func location(of name: ContentName, in folder: PictureFolder) -> URL {
    files(in: folder).location(of: name)
  }

  func writePictures(
    _ new: [NewPictureFile],
    in folder: PictureFolder,
    after check: @escaping @Sendable (any StoreTables) throws -> Void,
    _ change: @escaping @Sendable (any StoreTables) throws -> Set<ContentName>
  ) async throws(StoreError) {
    // Always in the same order, so two nodes can't deadlock.
    let sorted = new.sorted { $0.name.value < $1.name.value }
    let leaving: [ContentName]
    do {
      leaving = try await changeTables { session in
        let tables = PostgresTables(session: session)
        try check(tables)
        for file in sorted { try PostgresBlobs(session: session).put(file.bytes, as: file.name) }
        // The sweep removes their rows in `blob` later, because another node may be about to use them.
        return try change(tables).filter { try !tables.uses($0, in: folder) }
      }
    } catch {
      throw storeError(error)
    }
    let files = files(in: folder)
    for file in new { try? files.writeCached(file.bytes, as: file.name) }
    for name in leaving { try? files.remove(name) }
  }

  func readPicture(
    in folder: PictureFolder,
    _ find: @escaping @Sendable (any StoreTables) throws -> PictureFile?
  ) async throws(StoreError) -> (file: PictureFile, bytes: [UInt8]?)? {
    let files = files(in: folder)
    do {
      return try await pool.read { session in
        guard let file = try find(PostgresTables(session: session)) else { return nil }
        if let bytes = try? files.read(file.name, byteCount: file.byteCount) { return (file, bytes) }
        let bytes = try PostgresBlobs(session: session).bytes(of: file)
        if let bytes { try? files.writeCached(bytes, as: file.name) }
        return (file, bytes)
      }
    } catch {
      throw storeError(error)
    }
  }

  func bringToDisk(_ file: PictureFile, in folder: PictureFolder) async throws(StoreError) -> Bool {
    let files = files(in: folder)
    if files.isWhole(file.name, byteCount: file.byteCount) { return true }
    do {
      return try await pool.read { session in
        guard let bytes = try PostgresBlobs(session: session).bytes(of: file) else { return false }
        try files.writeCached(bytes, as: file.name)
        return true
      }
    } catch {
      throw storeError(error)
    }
  }

  func forgetDamagedPicture(_ name: ContentName) async throws(StoreError) {
    do {
      try await changeTables { session in
        let tables = PostgresTables(session: session)
        guard let byteCount = try tables.pictures.byteCount(of: name) else { return }
        let file = PictureFile(name: name, byteCount: byteCount)
        guard try PostgresBlobs(session: session).bytes(of: file) == nil else { return }
        try tables.pictures.forget(name)
      }
      try files.remove(name)
    } catch {
      throw storeError(error)
    }
  }

  func sweepPictures() async throws(StoreError) -> PictureTotals {
    do {
      var removed = try await changeTables { session in try PostgresBlobs(session: session).sweep() }
      let used = try await readSnapshot { tables in
        (Set(try tables.pictures.files().map(\.name)), Set(try tables.albums.artworkFiles().map(\.name)))
      }
      for (files, names) in [(files, used.0), (artworkFiles, used.1)] {
        for (name, byteCount) in try files.all() where !names.contains(name) {
          try files.remove(name)
          removed.files += 1
          removed.bytes += byteCount
        }
      }
      return removed
    } catch {
      throw storeError(error)
    }
  }
}

extension PictureFiles {
  /// Writes a file to the cache without a sync: after a power cut, the database still has the bytes.
  func writeCached(_ bytes: [UInt8], as name: ContentName) throws {
    try makeFolders()
    try write(bytes, as: name, isSynced: false)
  }
}
