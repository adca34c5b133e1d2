// Longbox
// SPDX-License-Identifier: MIT

import Foundation

/// Stores rows and pictures: in SQLite and files, or in PostgreSQL with a cache of files.
///
/// Closures run on a thread of the engine, off the cooperative pool. They may run more than once, so they change
/// nothing but the tables.
protocol StoreEngine: Sendable {
  /// The space that libraries take and may take.
  var librarySpace: LibrarySpace { get }

  /// The data that nodes share; nil if no other process may change the tables.
  var shared: SharedStore? { get }

  /// Reads with one statement, or with several that need no common snapshot.
  func read<Value: Sendable>(
    _ body: @escaping @Sendable (any SQLConnection) throws -> Value
  ) async throws(StoreError) -> Value

  /// Reads one snapshot with several statements.
  func readSnapshot<Value: Sendable>(
    _ body: @escaping @Sendable (any SQLConnection) throws -> Value
  ) async throws(StoreError) -> Value

  /// Changes tables in one transaction.
  func write<Value: Sendable>(
    _ body: @escaping @Sendable (any SQLConnection) throws -> Value
  ) async throws(StoreError) -> Value

  /// Changes tables with one statement, which needs no transaction around it.
  func writeStatement<Value: Sendable>(
    _ body: @escaping @Sendable (any SQLConnection) throws -> Value
  ) async throws(StoreError) -> Value

  /// Stores pictures' bytes, then changes the tables that refer to them in one transaction.
  /// - Parameters:
  ///   - files: the new files with their bytes. Each is stored before a row refers to it.
  ///   - folder: the files' folder.
  ///   - check: throws if the change is not possible; no file is stored then.
  ///   - change: changes the tables. It returns names that may no longer be used; those are removed.
  func writePictures(
    _ files: [NewPictureFile],
    in folder: PictureFolder,
    after check: @escaping @Sendable (any SQLConnection) throws -> Void,
    _ change: @escaping @Sendable (any SQLConnection) throws -> Set<ContentName>
  ) async throws(StoreError)

  /// Finds a picture's row and reads its bytes, which are nil if they are missing or have another size.
  func readPicture(
    in folder: PictureFolder,
    _ find: @escaping @Sendable (any SQLConnection) throws -> PictureFile?
  ) async throws(StoreError) -> (file: PictureFile, bytes: [UInt8]?)?

  /// The location of a picture's file, whether or not it is on this machine's disk.
  func location(of name: ContentName, in folder: PictureFolder) -> URL

  /// Writes a picture's file to this machine's disk, if it isn't there.
  /// - Returns: whether it is there now, with the right size.
  func bringToDisk(_ file: PictureFile, in folder: PictureFolder) async throws(StoreError) -> Bool

  /// Removes a damaged picture of a comic with its row, unless it was rewritten in the meantime.
  func forgetDamagedPicture(_ name: ContentName) async throws(StoreError)

  /// Removes files that no row refers to.
  func sweepPictures() async throws(StoreError) -> PictureTotals

  /// The sizes of the database and of its log, in bytes.
  func sizes() async throws(StoreError) -> (database: Int, log: Int)

  /// Checks everything that is stored, see ``Store/audit(readingPictures:progress:)``.
  func audit(
    readingPictures: Bool,
    progress: @escaping @Sendable (_ done: Int, _ total: Int) -> Void
  ) async throws(StoreError) -> StoreAudit

  /// Writes one snapshot of all tables into an SQLite database.
  /// - Parameter copy: an empty private file.
  func copyTables(toSQLite copy: URL) async throws(StoreError)

  /// The connection with other nodes; nil if the engine serves one node only.
  var cluster: Cluster? { get }

  /// The same engine, which changes nothing if this node has led and leads no more.
  var forLeader: Self { get }

  /// Closes the connections; later calls fail.
  func close() throws
}

struct StorePlace: Sendable {
  let folder: URL

  /// The SQLite database, with its `-wal` and `-shm` beside it.
  var database: URL { folder.appending(path: "longbox.sqlite", directoryHint: .notDirectory) }
  var pictures: URL { folder.appending(path: "pictures", directoryHint: .isDirectory) }
  var artwork: URL { folder.appending(path: "artwork", directoryHint: .isDirectory) }
  var lock: URL { folder.appending(path: "longbox.lock", directoryHint: .notDirectory) }
}
