// Longbox
// SPDX-License-Identifier: MIT

public import Foundation
import GRDB

extension Store {
  /// Writes the database, the pictures and some further files into one file.
  ///
  /// A server may run on this store. The database is copied by SQLite's backup interface
  /// (https://www.sqlite.org/backup.html), so the backup shows one moment. The archive and the index of explanations are left out: a server makes them from the rest.
  /// - Parameters:
  ///   - location: the backup; there must be no such file.
  ///   - files: further files and folders of the data folder, such as `vapid.pem`; those that are missing are skipped.
  /// - Throws: `backupExists`, `unusable` or `diskFull`; nothing is left at `location` then.
  public func backUp(to location: URL, with files: [String]) async throws(StoreError) -> BackupSummary {
    guard !FileManager.default.fileExists(atPath: location.path) else {
      throw .backupExists(file: location.path)
    }
    let unfinished = location.appendingPathExtension("unfinished")
    let copy = location.appendingPathExtension("database")
    defer { for file in [unfinished, copy] { unlink(file.path) } }
    // What a killed backup left behind.
    for file in [unfinished, copy] { unlink(file.path) }
    do {
      let names = try await copyDatabase(toFile: copy)
      let archive = try BackupArchive(making: unfinished)
      var summary = BackupSummary()
      func add(_ source: URL, _ name: String) throws {
        guard let bytes = try archive.add(source, as: name) else { return }
        summary.files += 1
        summary.bytes += bytes
      }
      try add(copy, place.database.lastPathComponent)
      // Other tasks of the server need these threads, so each file gives them a turn.
      for name in names.pictures {
        try Task.checkCancellation()
        try add(self.files.location(of: name), "pictures/\(name.value)")
        await Task.yield()
      }
      for name in names.covers {
        try Task.checkCancellation()
        try add(artworkFiles.location(of: name), "artwork/\(name.value)")
        await Task.yield()
      }
      for name in try files.flatMap({ file in try Self.files(file, in: folder) }) {
        try add(folder.appending(path: name), name)
      }
      try archive.close()
      try Self.name(unfinished, location)
      return summary
    } catch {
      throw StoreError(error, in: StorePlace(folder: location.deletingLastPathComponent()))
    }
  }

  /// Checks that a backup is whole.
  /// - Throws: `notABackup`, `newerVersion`, `backupDamaged` or `unusable`.
  public static func checkBackup(_ location: URL) throws(StoreError) -> BackupSummary {
    do {
      let archive = try BackupArchive(reading: location)
      try archive.check()
      return try archive.entries().reduce(into: BackupSummary()) { summary, entry in
        summary.files += 1
        summary.bytes += entry.byteCount
      }
    } catch {
      throw StoreError(error, in: StorePlace(folder: location.deletingLastPathComponent()))
    }
  }

  /// Puts a backup in the place of a data folder, whose old content stays beside it.
  /// - Parameters:
  ///   - location: the backup, which is checked first.
  ///   - folder: the data folder, which no other process may have open.
  /// - Returns: the folder with the content before; nil if there was none.
  /// - Throws: as ``checkBackup(_:)``, also `inUse` and `diskFull`; nothing has been changed then.
  public static func restore(_ location: URL, to folder: URL) throws(StoreError) -> URL? {
    let fresh = folder.appendingPathExtension("restoring")
    do {
      let archive = try BackupArchive(reading: location)
      try archive.check()
      let exists = FileManager.default.fileExists(atPath: folder.path)
      let lock = exists ? try FolderLock(StorePlace(folder: folder)) : nil
      defer { lock?.release() }
      try remove(fresh)
      defer { try? remove(fresh) }
      try extract(archive, to: fresh)
      // Refuses a database of a newer version, and brings an older one up to date.
      try open(fresh).close()
      guard exists else {
        try move(fresh, to: folder)
        return nil
      }
      let old = freeName(folder)
      try move(folder, to: old)
      do {
        try move(fresh, to: folder)
      } catch {
        try move(old, to: folder)
        throw error
      }
      return old
    } catch {
      throw StoreError(error, in: StorePlace(folder: folder))
    }
  }

  /// Gives a finished backup its name.
  ///
  /// link(2) fails if the file exists, where rename(2) would replace it. On file systems without hard links it is rename(2).
  private static func name(_ finished: URL, _ location: URL) throws {
    if link(finished.path, location.path) == 0 { return }
    if errno == EEXIST { throw StoreError.backupExists(file: location.path) }
    guard [EPERM, EOPNOTSUPP, ENOTSUP, ENOSYS].contains(errno), rename(finished.path, location.path) == 0
    else {
      throw FileError(path: location.path)
    }
  }

  /// Copies the database into a file, and names the files that its rows refer to.
  private func copyDatabase(
    toFile copy: URL
  ) async throws(StoreError) -> (pictures: [ContentName], covers: [ContentName]) {
    do {
      _ = try OpenFile(copy.path, O_RDWR | O_CREAT | O_EXCL)
      let target = try DatabaseQueue(path: copy.path)
      try await copyDatabase(to: target)
      return try await target.writeWithoutTransaction { database in
        // The copy is one file, without a log beside it.
        try database.execute(sql: "PRAGMA journal_mode = DELETE")
        return (
          try PictureTable(database: database).files().map(\.name),
          try AlbumTable(database: database).artworkFiles().map(\.name)
        )
      }
    } catch {
      throw StoreError(error, in: place)
    }
  }

  /// The path of a file of the data folder, or of all files in a folder of it.
  private static func files(_ name: String, in folder: URL) throws -> [String] {
    var isFolder: ObjCBool = false
    let path = folder.appending(path: name).path
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
      return [name]
    }
    return try FileManager.default.contentsOfDirectory(atPath: path).sorted().map { "\(name)/\($0)" }
  }

  private static func extract(_ archive: BackupArchive, to folder: URL) throws {
    try Folder.make(folder)
    for entry in try archive.entries() {
      let target = folder.appending(path: entry.name, directoryHint: .notDirectory)
      // A forged backup must not write elsewhere.
      guard !entry.name.hasPrefix("/"), !entry.name.split(separator: "/").contains("..") else {
        throw StoreError.unusable(path: entry.name, reason: "the backup names a file outside the data folder")
      }
      try Folder.make(target.deletingLastPathComponent())
      try archive.extract(entry, to: target)
    }
  }

  /// A name beside a folder or file that is free.
  static func freeName(_ folder: URL) -> URL {
    var name = folder.appendingPathExtension("before-restore")
    var count = 1
    while FileManager.default.fileExists(atPath: name.path) {
      count += 1
      name = folder.appendingPathExtension("before-restore-\(count)")
    }
    return name
  }

  private static func move(_ source: URL, to target: URL) throws(FileError) {
    guard rename(source.path, target.path) == 0 else { throw FileError(path: target.path) }
  }

  private static func remove(_ folder: URL) throws {
    guard FileManager.default.fileExists(atPath: folder.path) else { return }
    try FileManager.default.removeItem(at: folder)
  }
}
