// Longbox
// SPDX-License-Identifier: MIT

public import Foundation
import GRDB

#if os(Linux)
import CFiles
#endif

/// What a backup contains.
public struct BackupSummary: Hashable, Sendable {
  /// How many files.
  public var files = 0
  /// The sum of their sizes.
  public var bytes = 0
}

extension Store {
  /// Writes the database, the pictures and some further files into one file.
  ///
  /// A server may run on this store. The database is copied by SQLite's backup interface
  /// (https://www.sqlite.org/backup.html) or in one transaction of PostgreSQL, so the backup is one snapshot. It doesn't
  /// contain the archive and the index of explanations, which a server builds from the rest.
  /// - Parameters:
  ///   - location: the backup; the file must not exist.
  ///   - files: further files and folders of the data folder, such as `vapid.pem`; those that are missing are skipped.
  ///   - progress: called with the number of files done, and the total.
  /// - Throws: `backupExists`, `unusable`, `diskFull` or `cancelled`; nothing is left at `location` then.
  public func backUp(
    to location: URL,
    with files: [String],
    progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }
  ) async throws(StoreError) -> BackupSummary {
    let target = location.deletingLastPathComponent()
    func inTarget<Value>(_ work: () throws -> Value) rethrows -> Value {
      try FolderOwner.allowing(W_OK, target, work)
    }
    guard !inTarget({ FileManager.default.fileExists(atPath: location.path) }) else {
      throw .backupExists(file: location.path)
    }
    // Checked here, because a later error would name the temporary file, not the backup.
    guard Self.isWritable(target.path) else {
      throw .unusable(path: location.path, reason: String(cString: strerror(errno)))
    }
    let unfinished = location.appendingPathExtension("unfinished")
    let copy = location.appendingPathExtension("database")
    func removeUnfinished() { inTarget { for file in [unfinished, copy] { unlink(file.path) } } }
    defer { removeUnfinished() }
    // A backup that was killed may have left them behind.
    removeUnfinished()
    do {
      try inTarget { _ = try OpenFile(copy.path, O_RDWR | O_CREAT | O_EXCL) }
      try await FolderOwner.allowing(W_OK, target) { try await engine.copyTables(toSQLite: copy) }
      let pictures = try inTarget { try Self.pictures(in: copy) }
      let archive = try inTarget { try BackupArchive(making: unfinished) }
      var sources = pictures.map { BackupSource($0.file, in: $0.folder, of: engine) }
      sources += try files.flatMap { try Self.files($0, in: folder) }
        .map { BackupSource(folder.appending(path: $0), as: $0) }
      var summary = BackupSummary()
      func note(_ added: Int?) {
        guard let added else { return }
        summary.files += 1
        summary.bytes += added
      }
      progress(0, sources.count + 1)
      note(try inTarget { try archive.add(copy, as: Self.database) })
      for (index, source) in sources.enumerated() {
        try Task.checkCancellation()
        progress(index + 1, sources.count + 1)
        try await source.bringToDisk()
        note(try archive.add(source.location, as: source.name))
        // Let other tasks run between two files.
        await Task.yield()
      }
      try Task.checkCancellation()
      try inTarget {
        try archive.close()
        try Self.name(unfinished, location)
      }
      return summary
    } catch {
      throw StoreError(error, in: StorePlace(folder: location.deletingLastPathComponent()))
    }
  }

  /// The name of the database's file, which each backup has.
  private static var database: String { StorePlace(folder: URL(filePath: "/")).database.lastPathComponent }

  /// Checks that a backup is whole.
  /// - Parameters:
  ///   - location: the backup.
  ///   - progress: called with the number of bytes checked, and the total.
  /// - Throws: `notABackup`, `newerVersion`, `backupDamaged`, `unusable` or `cancelled`.
  public static func checkBackup(
    _ location: URL,
    progress: @escaping (_ done: Int, _ total: Int) -> Void = { _, _ in }
  ) throws(StoreError) -> BackupSummary {
    do {
      let archive = try FolderOwner.allowing(R_OK, location) { try BackupArchive(reading: location) }
      var reading = BackupProgress(of: try archive.byteCount(), report: progress)
      try archive.check(needing: database, &reading)
      return try archive.entries().reduce(into: BackupSummary()) { summary, entry in
        summary.files += 1
        summary.bytes += entry.byteCount
      }
    } catch {
      throw StoreError(error, in: StorePlace(folder: location.deletingLastPathComponent()))
    }
  }

  /// Replaces a data folder with the content of a backup, and keeps the old folder beside it.
  /// - Parameters:
  ///   - location: the backup, which is checked first.
  ///   - folder: the data folder, which no other process may have open.
  ///   - progress: called with the number of bytes checked and written, and the total.
  /// - Returns: the folder with the old content; nil if there was none.
  /// - Throws: as ``checkBackup(_:progress:)``, also `inUse` and `diskFull`; nothing has been changed then.
  public static func restore(
    _ location: URL,
    to folder: URL,
    progress: @escaping (_ done: Int, _ total: Int) -> Void = { _, _ in }
  ) throws(StoreError) -> URL? {
    try restore(location, to: folder, by: FolderSwap(), progress: progress)
  }

  static func restore(
    _ location: URL,
    to folder: URL,
    by swap: FolderSwap,
    progress: @escaping (_ done: Int, _ total: Int) -> Void = { _, _ in }
  ) throws(StoreError) -> URL? {
    let fresh = folder.appendingPathExtension("restoring")
    do {
      let archive = try FolderOwner.allowing(R_OK, location) { try BackupArchive(reading: location) }
      // Everything is read twice: to check it, and to write it.
      var reading = BackupProgress(of: try archive.byteCount(times: 2), report: progress)
      try archive.check(needing: database, &reading)
      let exists = FileManager.default.fileExists(atPath: folder.path)
      let lock = exists ? try FolderLock(StorePlace(folder: folder)) : nil
      defer { lock?.release() }
      try FolderOwner.removeFolder(fresh)
      defer { try? FolderOwner.removeFolder(fresh) }
      try extract(archive, to: fresh, &reading)
      // Refuses a database of a newer version, and brings an older one up to date.
      try open(fresh).close()
      try Folder.sync(fresh)
      let parent = folder.deletingLastPathComponent()
      return try FolderOwner.allowing(W_OK, parent) {
        guard exists else {
          try FolderSwap.move(fresh, to: folder)
          try OpenFile(parent.path, O_RDONLY).sync()
          return nil
        }
        let old = freeName(folder)
        try swap.put(fresh, at: folder, keeping: old)
        return old
      }
    } catch StoreError.newerVersion {
      throw .newerVersion(file: location.path)
    } catch let error as FileError where error.number == EBUSY && error.path == folder.path {
      throw .unusable(
        path: folder.path,
        reason: "a disk or volume is mounted there, so nothing can take its place",
        advice: "Restore into a folder below it."
      )
    } catch let error as FileError where error.path == fresh.path && [EACCES, EROFS].contains(error.number) {
      throw .unusable(
        path: fresh.path,
        reason: error.reason,
        advice: "A restored folder is made there first. For the folder of a service, run this as root."
      )
    } catch {
      throw StoreError(error, in: StorePlace(folder: folder))
    }
  }

  /// Whether this process may create files in a folder; if not, `errno` has the reason.
  private static func isWritable(_ folder: String) -> Bool { faccessat(AT_FDCWD, folder, W_OK, 0) == 0 }

  /// Gives a finished backup its name.
  ///
  /// It uses link(2), which fails if the file exists, or rename(2) on file systems without hard links.
  private static func name(_ finished: URL, _ location: URL) throws {
    if link(finished.path, location.path) == 0 { return }
    if errno == EEXIST { throw StoreError.backupExists(file: location.path) }
    guard [EPERM, EOPNOTSUPP, ENOTSUP, ENOSYS].contains(errno), rename(finished.path, location.path) == 0
    else {
      throw FileError(path: location.path)
    }
  }

  /// The files that the rows of a copied database refer to.
  private static func pictures(in copy: URL) throws -> [(folder: PictureFolder, file: PictureFile)] {
    var configuration = Configuration()
    configuration.readonly = true
    let queue = try DatabaseQueue(path: copy.path, configuration: configuration)
    defer { try? queue.close() }
    return try queue.inDatabase { database in try database.pictureFiles() }
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

  private static func extract(
    _ archive: BackupArchive,
    to folder: URL,
    _ reading: inout BackupProgress
  ) throws {
    try FolderOwner.makeFolder(folder)
    for entry in try archive.entries() {
      let target = folder.appending(path: entry.name, directoryHint: .notDirectory)
      // A forged backup must not write elsewhere.
      guard !entry.name.hasPrefix("/"), !entry.name.split(separator: "/").contains("..") else {
        throw StoreError.unusable(
          path: entry.name,
          reason: "the backup names a file outside the data folder",
          advice: "Use another backup."
        )
      }
      try Folder.make(target.deletingLastPathComponent())
      try archive.extract(entry, to: target, &reading)
    }
  }

  /// An unused name beside a folder or file.
  static func freeName(_ folder: URL) -> URL {
    var name = folder.appendingPathExtension("before-restore")
    var count = 1
    while FileManager.default.fileExists(atPath: name.path) {
      count += 1
      name = folder.appendingPathExtension("before-restore-\(count)")
    }
    return name
  }
}

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

/// Replaces a folder with another, and keeps the old one under a new name.
struct FolderSwap {
  /// Exchanges the names of two folders atomically; returns false if the kernel or the file system can't.
  var exchange: (_ one: String, _ other: String) -> Bool = Self.exchangeNames

  /// Puts a folder at a place.
  ///
  /// With renameat2(2) the exchange is atomic, even if the power fails. Without it there are two renames, and no folder
  /// at `place` between them.
  /// - Parameters:
  ///   - fresh: the new folder, already synced.
  ///   - place: the folder that it replaces.
  ///   - old: an unused name, for the replaced folder.
  /// - Throws: a `FileError`. All names are as before, unless only waiting for the disk failed at the end.
  func put(_ fresh: URL, at place: URL, keeping old: URL) throws {
    // First rename the new folder to `old`, so that the exchange gives both folders their final names. Under its first
    // name the old folder would be removed as an unfinished restoration.
    try Self.move(fresh, to: old)
    if !exchange(old.path, place.path) {
      try Self.move(old, to: fresh)
      try Self.move(place, to: old)
      do {
        try Self.move(fresh, to: place)
      } catch {
        try Self.move(old, to: place)
        throw error
      }
    }
    try OpenFile(place.deletingLastPathComponent().path, O_RDONLY).sync()
  }

  /// Renames a folder.
  static func move(_ source: URL, to target: URL) throws(FileError) {
    guard rename(source.path, target.path) == 0 else { throw FileError(path: source.path) }
  }

  private static func exchangeNames(_ one: String, _ other: String) -> Bool {
    #if os(Linux)
    renameat2(AT_FDCWD, one, AT_FDCWD, other, UInt32(longbox_rename_exchange)) == 0
    #else
    false
    #endif
  }
}
