// Longbox
// SPDX-License-Identifier: MIT

import CPostgres
import Foundation

/// A store in a PostgreSQL database, with a cache of the pictures in the data folder.
final class PostgresEngine: StoreEngine {
  let pool: PostgresPool
  let place: StorePlace
  let files: PictureFolders
  let cluster: Cluster?
  let libraryUpdates: LibraryUpdateBatcher
  let librarySpace: LibrarySpace
  /// Whether each change first checks that this node still leads, if it ever did.
  private let checksTerm: Bool

  private init(_ pool: PostgresPool, _ place: StorePlace) {
    self.pool = pool
    self.place = place
    files = PictureFolders(place)
    cluster = Cluster(pool, place)
    libraryUpdates = LibraryUpdateBatcher { libraries, limit in
      try await pool.read(within: limit) { session in
        try session.updates(of: libraries)
      }
    }
    librarySpace = LibrarySpace()
    checksTerm = false
  }

  private init(forLeaderOf engine: PostgresEngine) {
    pool = engine.pool
    place = engine.place
    files = engine.files
    cluster = engine.cluster
    libraryUpdates = engine.libraryUpdates
    librarySpace = engine.librarySpace
    checksTerm = true
  }

  var forLeader: PostgresEngine { PostgresEngine(forLeaderOf: self) }

  /// The term that a change checks.
  private var term: LeaderTerm? { checksTerm ? cluster?.election.latestTerm : nil }

  /// The oldest supported server: PostgreSQL 14 introduced pipelines.
  private static let oldestServer = 140_000

  /// Opens the database for reading and writing, and creates or updates its tables.
  ///
  /// The caller holds the lock of the data folder.
  static func open(_ address: PostgresAddress, _ place: StorePlace) async throws(StoreError) -> PostgresEngine
  {
    let engine = try connect(address, place)
    do {
      try engine.files.prepare()
      try await engine.pool.read { session in
        guard session.serverVersion >= oldestServer else {
          throw PostgresError(.other, "the server is older than PostgreSQL 14")
        }
      }
      try await PostgresMigrator().migrate(engine.pool)
      try await engine.requireComplete()
      return engine
    } catch {
      engine.pool.close()
      throw engine.storeError(error)
    }
  }

  /// Opens the database while other nodes use it, without changing its tables.
  static func openWithoutLock(
    _ address: PostgresAddress,
    _ place: StorePlace
  ) async throws(StoreError) -> PostgresEngine {
    let engine = try connect(address, place)
    do {
      let state = try await engine.pool.read { session in try PostgresMigrator.state(in: session) }
      switch state {
      case .empty: throw StoreError.nothingStored(folder: "\(address)")
      case .newer: throw StoreError.newerVersion(file: "\(address)")
      case .older: throw StoreError.olderVersion(file: "\(address)")
      case .current: try await engine.requireComplete()
      }
      return engine
    } catch {
      engine.pool.close()
      throw engine.storeError(error)
    }
  }

  /// Loads libpq; the pool connects on demand.
  static func connect(_ address: PostgresAddress, _ place: StorePlace) throws(StoreError) -> PostgresEngine {
    if let reason = lbx_pg_load() {
      throw .missingLibrary(reason: String(cString: reason))
    }
    return PostgresEngine(PostgresPool(PostgresSettings(address: address)), place)
  }

  /// Refuses a database that `longbox migrate-store` has not filled completely.
  private func requireComplete() async throws {
    let address = "\(pool.settings.address)"
    try await pool.read { session in
      guard try session.execute("SELECT is_complete FROM store").first?.bool(0) == true else {
        throw StoreError.incompleteCopy(database: address)
      }
    }
  }

  func close() { pool.close() }

  var shared: SharedStore? { SharedStore(engine: self) }

  func storeError(_ error: any Error) -> StoreError {
    StoreError(error, in: place, pool.settings.address)
  }
}

extension PostgresEngine {
  /// Runs work, and converts its errors.
  private func converting<Value: Sendable>(
    _ work: () async throws -> Value
  ) async throws(StoreError) -> Value {
    do { return try await work() } catch { throw storeError(error) }
  }

  func read<Value: Sendable>(
    _ body: @escaping @Sendable (any SQLConnection) throws -> Value
  ) async throws(StoreError) -> Value {
    try await converting { try await pool.read { session in try body(session) } }
  }

  func readSnapshot<Value: Sendable>(
    _ body: @escaping @Sendable (any SQLConnection) throws -> Value
  ) async throws(StoreError) -> Value {
    try await converting { try await pool.transaction(Self.snapshot) { session in try body(session) } }
  }

  private static let snapshot = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"

  func write<Value: Sendable>(
    _ body: @escaping @Sendable (any SQLConnection) throws -> Value
  ) async throws(StoreError) -> Value {
    try await converting { try await changeTables { session in try body(session) } }
  }

  /// Saves the round trip of the commit.
  func writeStatement<Value: Sendable>(
    _ body: @escaping @Sendable (any SQLConnection) throws -> Value
  ) async throws(StoreError) -> Value {
    // A leader's change checks the term before, in the same transaction.
    guard term == nil else { return try await write(body) }
    return try await converting { try await pool.statement { session in try body(session) } }
  }

  /// Runs a transaction.
  private func changeTables<Value: Sendable>(
    _ body: @escaping @Sendable (PostgresSession) throws -> Value
  ) async throws -> Value {
    guard let term else { return try await pool.transaction { try body($0) } }
    return try await pool.transaction { session in
      try term.require(in: session)
      return try body(session)
    }
  }

  func sizes() async throws(StoreError) -> (database: Int, log: Int) {
    // Pictures are counted apart.
    let sql = "SELECT pg_database_size(current_database()) - pg_total_relation_size('blob')"
    return try await read { database in (try database.number(sql), 0) }
  }
}

// MARK: Pictures

/// Pictures are rows in PostgreSQL; the data folder has a cache of them.
///
/// A picture's name is a hash of its bytes, so a cached file is never stale.
extension PostgresEngine {
  func location(of name: ContentName, in folder: PictureFolder) -> URL { files[folder].location(of: name) }

  func writePictures(
    _ new: [NewPictureFile],
    in folder: PictureFolder,
    after check: @escaping @Sendable (any SQLConnection) throws -> Void,
    _ change: @escaping @Sendable (any SQLConnection) throws -> Set<ContentName>
  ) async throws(StoreError) {
    // Always in the same order, so two nodes can't deadlock.
    let sorted = new.sorted { $0.name.value < $1.name.value }
    let leaving = try await converting {
      try await changeTables { session in
        try check(session)
        for file in sorted { try PostgresBlobs(session: session).put(file.bytes, as: file.name) }
        // The sweep removes their rows in `blob` later, because another node may be about to use them.
        return try change(session).filter { try !session.uses($0, in: folder) }
      }
    }
    for file in new { try? files[folder].writeCached(file.bytes, as: file.name) }
    for name in leaving { try? files[folder].remove(name) }
  }

  func readPicture(
    in folder: PictureFolder,
    _ find: @escaping @Sendable (any SQLConnection) throws -> PictureFile?
  ) async throws(StoreError) -> (file: PictureFile, bytes: [UInt8]?)? {
    try await converting {
      try await pool.read { [files = files[folder]] session in
        guard let file = try find(session) else { return nil }
        if let bytes = try? files.read(file.name, byteCount: file.byteCount) { return (file, bytes) }
        let bytes = try PostgresBlobs(session: session).bytes(of: file)
        if let bytes { try? files.writeCached(bytes, as: file.name) }
        return (file, bytes)
      }
    }
  }

  func bringToDisk(_ file: PictureFile, in folder: PictureFolder) async throws(StoreError) -> Bool {
    let files = files[folder]
    if files.isWhole(file.name, byteCount: file.byteCount) { return true }
    return try await converting {
      try await pool.read { session in
        guard let bytes = try PostgresBlobs(session: session).bytes(of: file) else { return false }
        try files.writeCached(bytes, as: file.name)
        return true
      }
    }
  }

  func forgetDamagedPicture(_ name: ContentName) async throws(StoreError) {
    try await converting {
      try await changeTables { session in
        guard let byteCount = try session.pictures.byteCount(of: name) else { return }
        let file = PictureFile(name: name, byteCount: byteCount)
        guard try PostgresBlobs(session: session).bytes(of: file) == nil else { return }
        try session.pictures.forget(name)
      }
      try files.pictures.remove(name)
    }
  }

  func sweepPictures() async throws(StoreError) -> PictureTotals {
    try await converting {
      var removed = try await changeTables { session in try PostgresBlobs(session: session).sweep() }
      let files = try files.sweep(keeping: await readSnapshot { database in try database.pictureFiles() })
      removed.files += files.files
      removed.bytes += files.bytes
      return removed
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

// MARK: Audit

extension PostgresEngine {
  /// Checks the pictures' rows; PostgreSQL itself checks references, and its pages if data checksums are on.
  func audit(
    readingPictures: Bool,
    progress: @escaping @Sendable (_ done: Int, _ total: Int) -> Void
  ) async throws(StoreError) -> StoreAudit {
    try await converting {
      try await pool.transaction(Self.snapshot, within: .seconds(600)) { session in
        var audit = StoreAudit()
        audit.comics = try session.comics.count()
        audit.gaps = try session.comics.gaps()
        let pictures = try session.pictures.files()
        let covers = Array(try session.albums.artworkFiles())
        let total = pictures.count + covers.count
        audit.wholePictures = try audit.compare(pictures, in: session, reading: readingPictures) {
          progress($0, total)
        }
        audit.wholeCovers = try audit.compare(covers, in: session, reading: readingPictures) {
          progress(pictures.count + $0, total)
        }
        audit.unusedFiles = try PostgresBlobs(session: session).unusedCount()
        return audit
      }
    }
  }
}

extension StoreAudit {
  /// Compares rows with the pictures' bytes, and adds the differences.
  /// - Returns: how many pictures are intact.
  fileprivate mutating func compare(
    _ files: [PictureFile],
    in session: PostgresSession,
    reading: Bool,
    _ progress: (_ done: Int) -> Void
  ) throws -> Int {
    let blobs = PostgresBlobs(session: session)
    // A statement must end before its timeout.
    let size = 200
    var faults = 0
    for start in stride(from: 0, to: files.count, by: size) {
      progress(start)
      let batch = Array(files[start..<min(start + size, files.count)])
      let (missing, damaged) = try blobs.faults(in: batch, reading: reading)
      missingPictures += missing.sorted()
      damagedPictures += damaged.sorted()
      faults += missing.count + damaged.count
    }
    return files.count - faults
  }
}
