// Longbox
// SPDX-License-Identifier: MIT

import Foundation

/// What keeps the rows and pictures of a store: SQLite with files, or PostgreSQL with a cache of files.
///
/// Closures run on a thread of the engine, off the cooperative pool. They may run more than once, so they change
/// nothing but the tables.
protocol StoreEngine: Sendable {
  /// What nodes share; nil if no other process may change the tables.
  var shared: SharedStore? { get }

  /// Reads with one statement, or with several that need not show one moment.
  func read<Value: Sendable>(
    _ body: @escaping @Sendable (any StoreTables) throws -> Value
  ) async throws(StoreError) -> Value

  /// Reads one moment with several statements.
  func readSnapshot<Value: Sendable>(
    _ body: @escaping @Sendable (any StoreTables) throws -> Value
  ) async throws(StoreError) -> Value

  /// Changes tables in one transaction.
  func write<Value: Sendable>(
    _ body: @escaping @Sendable (any StoreTables) throws -> Value
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
    after check: @escaping @Sendable (any StoreTables) throws -> Void,
    _ change: @escaping @Sendable (any StoreTables) throws -> Set<ContentName>
  ) async throws(StoreError)

  /// Finds a picture's row and reads its bytes, which are nil if they are missing or have another size.
  func readPicture(
    in folder: PictureFolder,
    _ find: @escaping @Sendable (any StoreTables) throws -> PictureFile?
  ) async throws(StoreError) -> (file: PictureFile, bytes: [UInt8]?)?

  /// Where a picture's file is, if it is on this machine's disk.
  func location(of name: ContentName, in folder: PictureFolder) -> URL

  /// Makes sure that a picture's file is on this machine's disk.
  /// - Returns: whether it is there, with the right size.
  func bringToDisk(_ file: PictureFile, in folder: PictureFolder) async throws(StoreError) -> Bool

  /// Removes a damaged picture of a comic with its row, unless it was rewritten in the meantime.
  func forgetDamagedPicture(_ name: ContentName) async throws(StoreError)

  /// Removes files that no row refers to.
  func sweepPictures() async throws(StoreError) -> PictureTotals

  /// The bytes of the database and of its log.
  func sizes() async throws(StoreError) -> (database: Int, log: Int)

  /// Checks everything that is stored, see ``Store/audit(readingPictures:progress:)``.
  func audit(
    readingPictures: Bool,
    progress: @escaping @Sendable (_ done: Int, _ total: Int) -> Void
  ) async throws(StoreError) -> StoreAudit

  /// Writes one moment of all tables into an SQLite database.
  /// - Parameter copy: an empty private file.
  func copyTables(toSQLite copy: URL) async throws(StoreError)

  /// What connects this node with others; nil if the engine serves one node only.
  var cluster: Cluster? { get }

  /// Ends the connections; later calls fail.
  func close() throws
}
