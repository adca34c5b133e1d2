// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import GRDB

/// What was copied from one store to another.
public struct StoreCopySummary: Hashable, Sendable {
  /// The rows that this run has copied.
  public var rows = 0
  /// The pictures and covers that this run has copied.
  public var pictures = 0
  /// The pictures that the source names, but has lost; a server fetches them again.
  public var lostPictures = 0
}

extension Store {
  /// Copies a store from one engine to the other, and compares the hashes of all tables.
  ///
  /// An interrupted copy continues where it stopped. No server opens an incomplete copy.
  /// - Parameters:
  ///   - source: the store to copy, which no server may use.
  ///   - target: an empty database, a folder without a database, or an interrupted copy.
  ///   - progress: called with a table's name and the number of its rows so far.
  /// - Throws: `inUse`, `notEmpty`, `copyDiffers`, and errors of both databases.
  public static func copy(
    from source: StoreLocation,
    to target: StoreLocation,
    progress: @escaping @Sendable (_ table: String, _ count: Int) -> Void
  ) async throws(StoreError) -> StoreCopySummary {
    switch (source.database, target.database) {
    case (nil, let database?):
      guard FileManager.default.fileExists(atPath: StorePlace(folder: source.folder).database.path) else {
        throw .nothingStored(folder: source.folder.path)
      }
      // Opening updates its tables, and fails if a server uses it.
      try await open(source.folder).closeOnNewThread()
      try await PostgresEngine.makeTables(database, StorePlace(folder: target.folder))
      return try await onNewThread(database) {
        try copy(fromSQLite: StorePlace(folder: source.folder), to: database, progress)
      }
    case (let database?, nil):
      try await openReading(source).closeOnNewThread()
      return try await onNewThread(database) {
        try copy(from: database, toSQLite: StorePlace(folder: target.folder), progress)
      }
    default:
      throw .unusable(
        path: target.folder.path,
        reason: "a copy goes from SQLite to PostgreSQL or back",
        advice: "To copy a store as it is, use “longbox backup”."
      )
    }
  }

  /// Runs on a new thread, because a copy blocks for minutes.
  private static func onNewThread<Value: Sendable>(
    _ database: PostgresAddress,
    _ body: @escaping @Sendable () throws -> Value
  ) async throws(StoreError) -> Value {
    let outcome = await withCheckedContinuation {
      (continuation: CheckedContinuation<Result<Value, any Error>, Never>) in
      let thread = Thread { continuation.resume(returning: Result(catching: body)) }
      thread.stackSize = 4 << 20
      thread.start()
    }
    do {
      return try outcome.get()
    } catch {
      throw StoreError(error, in: StorePlace(folder: URL(filePath: "/")), database)
    }
  }

  private static func copy(
    fromSQLite place: StorePlace,
    to address: PostgresAddress,
    _ progress: @escaping (String, Int) -> Void
  ) throws -> StoreCopySummary {
    let lock = try FolderLock(place)
    defer { lock.release() }
    var configuration = Configuration()
    configuration.readonly = true
    let queue = try DatabaseQueue(path: place.database.path, configuration: configuration)
    defer { try? queue.close() }
    let session = try PostgresSession.forCopying(address)
    try session.beginCopy(into: "\(address)")
    let summary = try queue.read { database in
      try StoreCopier(source: database, target: session, progress: progress)
        .summary(from: PictureFolders(place), to: PostgresBlobs(session: session))
    }
    try session.finishCopy()
    return summary
  }

  private static func copy(
    from address: PostgresAddress,
    toSQLite place: StorePlace,
    _ progress: @escaping (String, Int) -> Void
  ) throws -> StoreCopySummary {
    try Folder.make(place.folder)
    let lock = try FolderLock(place)
    defer { lock.release() }
    guard !FileManager.default.fileExists(atPath: place.database.path) else {
      throw StoreError.notEmpty(place: place.folder.path)
    }
    try PictureFolders(place).prepare()
    let unfinished = place.database.appendingPathExtension("copying")
    if !FileManager.default.fileExists(atPath: unfinished.path) {
      _ = try OpenFile(unfinished.path, O_RDWR | O_CREAT | O_EXCL)
    }
    let queue = try DatabaseQueue(path: unfinished.path)
    try Migration.sqlite.migrate(queue)
    let summary = try PostgresSession.forCopying(address).transaction(
      "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
    ) { session in
      try queue.inDatabase { database in
        try StoreCopier(source: session, target: database, progress: progress)
          .summary(from: PostgresBlobs(session: session), to: PictureFolders(place))
      }
    }
    try queue.close()
    try OpenFile(unfinished.path, O_RDONLY).sync()
    guard rename(unfinished.path, place.database.path) == 0 else {
      throw FileError(path: place.database.path)
    }
    try OpenFile(place.folder.path, O_RDONLY).sync()
    return summary
  }
}

extension StoreCopier {
  fileprivate func summary(
    from here: any CopiedPictures,
    to there: any CopiedPictures
  ) throws -> StoreCopySummary {
    let rows = try copyTables()
    let (copied, lost) = try copyPictures(from: here, to: there)
    return StoreCopySummary(rows: rows, pictures: copied, lostPictures: lost)
  }
}

/// Copies everything from one database to the other, and continues an interrupted copy.
struct StoreCopier {
  let source: any SQLConnection
  let target: any SQLConnection
  /// Called with the number of rows or pictures copied so far.
  let progress: (_ table: String, _ count: Int) -> Void

  /// Copies all tables.
  /// - Throws: `StoreError.copyDiffers` if a table and its copy have different hashes.
  func copyTables() throws -> Int {
    if try !isBeginning() {
      for table in CopiedTable.all.reversed() { try target.change("DELETE FROM \(table.name)") }
    }
    var count = 0
    for table in CopiedTable.all { count += try copy(table) }
    let counters = [
      (Counter.comics, "max(revision)", "comic"), (.explanations, "max(change)", "explanation"),
    ]
    for (counter, greatest, table) in counters {
      try target.change(
        "UPDATE counter SET value = (SELECT coalesce(\(greatest), 0) FROM \(table)) WHERE name = $1",
        .text(counter.rawValue)
      )
    }
    return count
  }

  /// Copies the pictures that the target lacks.
  /// - Returns: the number of copied pictures, and of those that the source has lost.
  func copyPictures(
    from here: any CopiedPictures,
    to there: any CopiedPictures
  ) throws -> (copied: Int, lost: Int) {
    var (copied, lost) = (0, 0)
    for (folder, file) in try source.pictureFiles() where try !there.has(file, in: folder) {
      guard let bytes = try here.bytes(of: file, in: folder), file.isContent(bytes) else {
        lost += 1
        continue
      }
      try there.put(bytes, as: file.name, in: folder)
      copied += 1
      progress("pictures", copied)
    }
    return (copied, lost)
  }

  /// Whether the rows in the target are the first rows of the source's tables.
  private func isBeginning() throws -> Bool {
    for table in CopiedTable.all {
      guard let last = try table.lastKey(in: target) else { continue }
      guard try table.hash(in: source, upTo: last) == table.hash(in: target, upTo: last) else { return false }
    }
    return true
  }

  private func copy(_ table: CopiedTable) throws -> Int {
    var key = try table.lastKey(in: target)
    var count = 0
    while true {
      let rows = try table.rows(after: key, in: source)
      guard let last = rows.last else { break }
      try table.insert(rows, into: target)
      key = Array(last.prefix(table.keyCount))
      count += rows.count
      progress(table.name, count)
    }
    guard try table.hash(in: source) == table.hash(in: target) else {
      throw StoreError.copyDiffers(table: table.name)
    }
    if table.hasLastID { try target.skipIDs(of: table.name, upTo: source.lastID(of: table.name)) }
    return count
  }
}

/// The bytes of the pictures on one side of a copy: files, or rows in PostgreSQL.
protocol CopiedPictures {
  func has(_ file: PictureFile, in folder: PictureFolder) throws -> Bool

  /// A picture's bytes; nil if they are missing.
  func bytes(of file: PictureFile, in folder: PictureFolder) throws -> [UInt8]?

  func put(_ bytes: [UInt8], as name: ContentName, in folder: PictureFolder) throws
}
