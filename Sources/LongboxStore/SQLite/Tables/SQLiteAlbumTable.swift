// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import GRDB
import LongboxCore

struct SQLiteAlbumTable: AlbumTable {
  let database: Database

  func reply(to question: String) throws -> StoredReply? {
    try Row.fetchOne(
      database,
      sql: "SELECT body, fetchedAt FROM albumAnswer WHERE question = ?",
      arguments: [question]
    )
    .map(Self.reply)
  }

  /// The values that `read` makes of a kind's replies, newest first; one reply is in memory at a time.
  func replies<Value>(
    of kind: StoredReply.Kind,
    _ read: (_ question: String, _ reply: StoredReply) -> Value?
  ) throws -> [Value] {
    let rows = try Row.fetchCursor(
      database,
      sql:
        "SELECT question, body, fetchedAt FROM albumAnswer WHERE kind = ? ORDER BY fetchedAt DESC, question",
      arguments: [kind.rawValue]
    )
    var values: [Value] = []
    while let row = try rows.next() {
      if let value = read(try row.value("question"), try Self.reply(row)) { values.append(value) }
    }
    return values
  }

  func put(_ reply: StoredReply, kind: StoredReply.Kind, to question: String) throws {
    try database.execute(
      sql: "INSERT OR REPLACE INTO albumAnswer (question, kind, body, fetchedAt) VALUES (?, ?, ?, ?)",
      arguments: [question, kind.rawValue, Data(reply.body), reply.fetchedAt.seconds]
    )
    try database.execute(
      sql: """
        DELETE FROM albumAnswer WHERE question IN (
          SELECT question FROM albumAnswer WHERE kind = ? ORDER BY fetchedAt DESC LIMIT -1 OFFSET ?
        )
        """,
      arguments: [kind.rawValue, kind.limit]
    )
  }

  func article(of album: StoreID, language: String) throws -> StoredReply? {
    try Row.fetchOne(
      database,
      sql: "SELECT body, fetchedAt FROM albumArticle WHERE album = ? AND language = ?",
      arguments: [Int64(album.value), language]
    )
    .map(Self.reply)
  }

  func putArticle(
    _ reply: StoredReply,
    of album: StoreID,
    language: String,
    keeping limit: Int
  ) throws {
    try database.execute(
      sql: """
        INSERT INTO albumArticle (album, language, body, fetchedAt) VALUES (?, ?, ?, ?)
        ON CONFLICT (album, language) DO UPDATE SET body = excluded.body, fetchedAt = excluded.fetchedAt
        """,
      arguments: [Int64(album.value), language, Data(reply.body), reply.fetchedAt.seconds]
    )
    try database.execute(
      sql: """
        DELETE FROM albumArticle WHERE (album, language) IN (
          SELECT album, language FROM albumArticle ORDER BY fetchedAt DESC LIMIT -1 OFFSET ?
        )
        """,
      arguments: [limit]
    )
  }

  func expireArticle(of album: StoreID, language: String) throws {
    try database.execute(
      sql: "UPDATE albumArticle SET fetchedAt = 0 WHERE album = ? AND language = ?",
      arguments: [Int64(album.value), language]
    )
  }

  func artworkAddress(of album: StoreID) throws -> String? {
    try String.fetchOne(
      database,
      sql: "SELECT address FROM artworkAddress WHERE album = ?",
      arguments: [Int64(album.value)]
    )
  }

  /// An address is kept beyond the limit while its cover is stored.
  func putArtworkAddresses(_ addresses: [StoreID: String], heardAt: Date, keeping limit: Int) throws {
    guard !addresses.isEmpty else { return }
    let statement = try database.cachedStatement(
      sql: """
        INSERT INTO artworkAddress (album, address, heardAt) VALUES (?, ?, ?)
        ON CONFLICT (album) DO UPDATE SET address = excluded.address, heardAt = excluded.heardAt
        """
    )
    for (album, address) in addresses {
      try statement.execute(arguments: [Int64(album.value), address, heardAt.seconds])
    }
    try database.execute(
      sql: """
        DELETE FROM artworkAddress WHERE album IN (
          SELECT album FROM artworkAddress ORDER BY heardAt DESC LIMIT -1 OFFSET ?
        ) AND NOT EXISTS (SELECT 1 FROM artworkFile WHERE artworkFile.album = artworkAddress.album)
        """,
      arguments: [limit]
    )
  }

  /// The file of the cover at the album's present address.
  func artwork(_ size: ArtworkSize, of album: StoreID) throws -> PictureFile? {
    let row = try Row.fetchOne(
      database,
      sql: """
        SELECT name, byteCount FROM artworkFile JOIN artworkAddress USING (album, address)
        WHERE album = ? AND size = ?
        """,
      arguments: [Int64(album.value), size.rawValue]
    )
    return try row.map(Self.file)
  }

  /// The file of an album's cover, from any address.
  func anyArtwork(_ size: ArtworkSize, of album: StoreID) throws -> PictureFile? {
    try Row.fetchOne(
      database,
      sql: "SELECT name, byteCount FROM artworkFile WHERE album = ? AND size = ?",
      arguments: [Int64(album.value), size.rawValue]
    )
    .map(Self.file)
  }

  func put(
    _ file: PictureFile,
    at address: String,
    _ size: ArtworkSize,
    of album: StoreID,
    fetchedAt: Date
  ) throws {
    try database.execute(
      sql: """
        INSERT OR REPLACE INTO artworkFile (album, size, address, name, byteCount, fetchedAt) VALUES (?, ?, ?, ?, ?, ?)
        """,
      arguments: [
        Int64(album.value), size.rawValue, address, file.name.value, file.byteCount, fetchedAt.seconds,
      ]
    )
  }

  /// Removes the oldest covers.
  /// - Returns: their files, which another album may still use.
  func forgetArtwork(keeping limit: Int) throws -> Set<ContentName> {
    let names = try String.fetchAll(
      database,
      sql: """
        DELETE FROM artworkFile WHERE (album, size) IN (
          SELECT album, size FROM artworkFile ORDER BY fetchedAt DESC LIMIT -1 OFFSET ?
        ) RETURNING name
        """,
      arguments: [limit]
    )
    return Set(names.compactMap { ContentName($0) })
  }

  func artworkFiles() throws -> Set<PictureFile> {
    Set(try Row.fetchAll(database, sql: "SELECT DISTINCT name, byteCount FROM artworkFile").map(Self.file))
  }

  func hasArtwork(_ name: ContentName) throws -> Bool {
    try Bool.fetchOne(
      database,
      sql: "SELECT EXISTS (SELECT 1 FROM artworkFile WHERE name = ?)",
      arguments: [name.value]
    ) ?? false
  }

  private static func file(_ row: Row) throws -> PictureFile {
    guard let name = ContentName(try row.value("name")) else { throw row.unexpected("name") }
    return PictureFile(name: name, byteCount: try row.value("byteCount"))
  }

  private static func reply(_ row: Row) throws -> StoredReply {
    StoredReply(body: try row.bytes("body"), fetchedAt: Date(seconds: try row.value("fetchedAt")))
  }
}
