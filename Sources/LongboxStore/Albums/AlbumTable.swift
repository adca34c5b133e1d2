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

  /// A pick outlives a newer answer, and keeps an old one.
  func putArticle(
    _ answer: StoredAnswer,
    of album: StoreID,
    language: String,
    keeping limit: Int
  ) throws {
    try database.execute(
      sql: """
        INSERT INTO albumArticle (album, language, body, fetchedAt) VALUES (?, ?, ?, ?)
        ON CONFLICT (album, language) DO UPDATE SET body = excluded.body, fetchedAt = excluded.fetchedAt
        """,
      arguments: [Int64(album.value), language, Data(answer.body), answer.fetchedAt.seconds]
    )
    try database.execute(
      sql: """
        DELETE FROM albumArticle WHERE (album, language) IN (
          SELECT album, language FROM albumArticle WHERE pick IS NULL ORDER BY fetchedAt DESC LIMIT -1 OFFSET ?
        )
        """,
      arguments: [limit]
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

  /// The address of a cover that is stored outlives the limit.
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

  func put(
    _ file: PictureTable.File,
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

  /// Forgets the oldest covers.
  /// - Returns: their files; another album may have one of them still.
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
