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

  func answers(of kind: StoredAnswer.Kind, limit: Int) throws -> [(question: String, answer: StoredAnswer)] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT question, body, fetchedAt FROM albumAnswer WHERE kind = ? ORDER BY fetchedAt DESC, question LIMIT ?
        """,
      arguments: [kind.rawValue, limit]
    )
    .map { row in (row["question"], try Self.answer(row)) }
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
    guard let row else { return nil }
    guard let name = ContentName(row["name"]) else { throw row.unexpected("name") }
    return PictureTable.File(name: name, byteCount: row["byteCount"])
  }

  func put(_ file: PictureTable.File, at address: String, _ size: ArtworkSize, of album: StoreID) throws {
    try database.execute(
      sql:
        "INSERT OR REPLACE INTO artworkFile (album, size, address, name, byteCount) VALUES (?, ?, ?, ?, ?)",
      arguments: [Int64(album.value), size.rawValue, address, file.name.value, file.byteCount]
    )
  }

  /// The files that the database tells of.
  func artworkNames() throws -> Set<ContentName> {
    let names = try String.fetchAll(database, sql: "SELECT DISTINCT name FROM artworkFile")
    return Set(names.compactMap { ContentName($0) })
  }

  func forgetArtwork(_ name: ContentName) throws {
    try database.execute(sql: "DELETE FROM artworkFile WHERE name = ?", arguments: [name.value])
  }

  private static func answer(_ row: Row) throws -> StoredAnswer {
    StoredAnswer(body: try row.bytes("body"), fetchedAt: Date(seconds: row["fetchedAt"]))
  }
}
