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
    try Schema.migrator.migrate(queue)
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
