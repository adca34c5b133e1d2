// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import GRDB
import LongboxCore

/// The SQL about albums.
struct AlbumTable {
  let database: Database

  func answer(to question: String) throws -> StoredAnswer? {
    try Row.fetchOne(
      database,
      sql: "SELECT body, fetchedAt FROM albumAnswer WHERE question = ?",
      arguments: [question]
    )
    .map(Self.answer)
  }

  /// What is made of each answer of a kind, the newest first; there is only one of them in memory at a time.
  func answers<Value>(
    of kind: StoredAnswer.Kind,
    _ read: (_ question: String, _ answer: StoredAnswer) -> Value?
  ) throws -> [Value] {
    let rows = try Row.fetchCursor(
      database,
      sql:
        "SELECT question, body, fetchedAt FROM albumAnswer WHERE kind = ? ORDER BY fetchedAt DESC, question",
      arguments: [kind.rawValue]
    )
    var values: [Value] = []
    while let row = try rows.next() {
      if let value = read(row["question"], try Self.answer(row)) { values.append(value) }
    }
    return values
  }

  func put(_ answer: StoredAnswer, kind: StoredAnswer.Kind, to question: String) throws {
    try database.execute(
      sql: "INSERT OR REPLACE INTO albumAnswer (question, kind, body, fetchedAt) VALUES (?, ?, ?, ?)",
      arguments: [question, kind.rawValue, Data(answer.body), answer.fetchedAt.seconds]
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

  func article(of album: StoreID, language: String) throws -> StoredArticle? {
    try Row.fetchOne(
      database,
      sql: "SELECT body, pick, fetchedAt FROM albumArticle WHERE album = ? AND language = ?",
      arguments: [Int64(album.value), language]
    )
    .map { row in StoredArticle(answer: try Self.answer(row), pick: row["pick"]) }
  }

  /// A pick outlives a newer answer.
  func putArticle(_ answer: StoredAnswer, of album: StoreID, language: String) throws {
    try database.execute(
      sql: """
        INSERT INTO albumArticle (album, language, body, fetchedAt) VALUES (?, ?, ?, ?)
        ON CONFLICT (album, language) DO UPDATE SET body = excluded.body, fetchedAt = excluded.fetchedAt
        """,
      arguments: [Int64(album.value), language, Data(answer.body), answer.fetchedAt.seconds]
    )
  }

  func pick(_ page: Int?, of album: StoreID, language: String) throws {
    try database.execute(
      sql: "UPDATE albumArticle SET pick = ? WHERE album = ? AND language = ?",
      arguments: [page, Int64(album.value), language]
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

  func putArtworkAddresses(_ addresses: [StoreID: String]) throws {
    let statement = try database.cachedStatement(
      sql: """
        INSERT INTO artworkAddress (album, address) VALUES (?, ?)
        ON CONFLICT (album) DO UPDATE SET address = excluded.address
        """
    )
    for (album, address) in addresses { try statement.execute(arguments: [Int64(album.value), address]) }
  }

  /// The file of the cover at the address that the album has now.
  func artwork(_ size: ArtworkSize, of album: StoreID) throws -> PictureTable.File? {
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

  /// The file of an album's cover, wherever it came from.
  func anyArtwork(_ size: ArtworkSize, of album: StoreID) throws -> PictureTable.File? {
    try Row.fetchOne(
      database,
      sql: "SELECT name, byteCount FROM artworkFile WHERE album = ? AND size = ?",
      arguments: [Int64(album.value), size.rawValue]
    )
    .map(Self.file)
  }

  func put(_ file: PictureTable.File, at address: String, _ size: ArtworkSize, of album: StoreID) throws {
    try database.execute(
      sql:
        "INSERT OR REPLACE INTO artworkFile (album, size, address, name, byteCount) VALUES (?, ?, ?, ?, ?)",
      arguments: [Int64(album.value), size.rawValue, address, file.name.value, file.byteCount]
    )
  }

  /// The files of covers that the database tells of; albums may share one.
  func artworkFiles() throws -> Set<PictureTable.File> {
    Set(try Row.fetchAll(database, sql: "SELECT DISTINCT name, byteCount FROM artworkFile").map(Self.file))
  }

  /// Whether any album has a file as its cover.
  func hasArtwork(_ name: ContentName) throws -> Bool {
    try Bool.fetchOne(
      database,
      sql: "SELECT EXISTS (SELECT 1 FROM artworkFile WHERE name = ?)",
      arguments: [name.value]
    ) ?? false
  }

  private static func file(_ row: Row) throws -> PictureTable.File {
    guard let name = ContentName(row["name"]) else { throw row.unexpected("name") }
    return PictureTable.File(name: name, byteCount: row["byteCount"])
  }

  private static func answer(_ row: Row) throws -> StoredAnswer {
    StoredAnswer(body: try row.bytes("body"), fetchedAt: Date(seconds: row["fetchedAt"]))
  }
}
