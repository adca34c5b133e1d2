// Longbox
// SPDX-License-Identifier: MIT

public import struct LongboxCore.Comic

/// The numbers and sizes of what is stored.
public struct StoreUsage: Hashable, Sendable {
  /// The number of the comics.
  public var comics = 0
  /// The bytes of the database.
  public var database = 0
  /// The bytes of SQLite's write-ahead log.
  public var log = 0
  /// The pictures of comics.
  public var pictures = PictureTotals()
  /// The covers of albums.
  public var covers = PictureTotals()
  /// The number of readers' libraries.
  public var libraries = 0
  /// The bytes of the libraries.
  public var libraryBytes = 0
  /// The number of browsers that get notifications.
  public var subscriptions = 0
  /// How many of them the last message didn't reach.
  public var failingSubscriptions = 0

  /// The bytes of everything.
  public var bytes: Int {
    [log, pictures.bytes, covers.bytes].reduce(database) { $0.addingWithinRange($1) }
  }
}

extension Store {
  /// Counts what is stored.
  public func usage() async throws(StoreError) -> StoreUsage {
    var usage = try await readSnapshot { database in
      var usage = StoreUsage()
      usage.comics = try database.comics.count()
      usage.pictures = try database.pictures.totals()
      let covers = try database.albums.artworkFiles()
      usage.covers = PictureTotals(
        files: covers.count,
        bytes: covers.reduce(0) { $0.addingWithinRange($1.byteCount) }
      )
      usage.libraries = try database.libraries.count()
      usage.libraryBytes = try database.libraries.byteCount()
      usage.subscriptions = try database.subscriptions.count()
      usage.failingSubscriptions = try database.number(
        "SELECT count(*) FROM subscription WHERE failure IS NOT NULL"
      )
      return usage
    }
    (usage.database, usage.log) = try await engine.sizes()
    return usage
  }
}

/// The result of checking everything that is stored.
public struct StoreAudit: Hashable, Sendable {
  /// How many comics are stored.
  public var comics = 0
  /// The missing numbers below the newest stored comic, except 404.
  public var gaps: [Comic.Number] = []
  /// How many pictures are intact.
  public var wholePictures = 0
  /// How many covers of albums are intact.
  public var wholeCovers = 0
  /// The names of pictures and covers that rows refer to, but whose bytes are missing.
  public var missingPictures: [String] = []
  /// The names of pictures and covers whose bytes have changed.
  public var damagedPictures: [String] = []
  /// How many files no comic and no album uses; they are harmless, and a sweep removes them.
  public var unusedFiles = 0
  /// The faults that SQLite finds in the database, in its own words.
  public var databaseFaults: [String] = []

  /// Whether nothing that was stored is lost or damaged.
  public var isSound: Bool { missingPictures.isEmpty && damagedPictures.isEmpty && databaseFaults.isEmpty }
}

extension Store {
  /// Checks everything that is stored, and changes nothing.
  /// - Parameters:
  ///   - readingPictures: whether to check the hash of each picture, which is slow. Otherwise only sizes are checked.
  ///   - progress: called with the number of pictures and covers checked, and the total.
  public func audit(
    readingPictures: Bool = false,
    progress: @escaping @Sendable (_ done: Int, _ total: Int) -> Void = { _, _ in }
  ) async throws(StoreError) -> StoreAudit {
    var audit = try await engine.audit(readingPictures: readingPictures, progress: progress)
    guard !audit.missingPictures.isEmpty || !audit.damagedPictures.isEmpty else { return audit }
    // A writer may have replaced a file since the database was read. Only files still referred to are lost.
    let expected = try await readSnapshot { database in
      Set(try database.pictureFiles().map(\.file.name.value))
    }
    audit.missingPictures.removeAll { !expected.contains($0) }
    audit.damagedPictures.removeAll { !expected.contains($0) }
    return audit
  }
}
