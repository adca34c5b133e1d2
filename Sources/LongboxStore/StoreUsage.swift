// Longbox
// SPDX-License-Identifier: MIT

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
