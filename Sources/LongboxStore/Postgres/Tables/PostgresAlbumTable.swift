// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore

struct PostgresAlbumTable: AlbumTable {
  let session: PostgresSession

  func reply(to question: String) throws -> StoredReply? {
    try session.execute("SELECT body, fetched_at FROM album_answer WHERE question = $1", .text(question))
      .first.map { try Self.reply($0) }
  }

  /// The number of replies that one statement reads.
  private static let batch = 50

  func replies<Value>(
    of kind: StoredReply.Kind,
    _ read: (_ question: String, _ reply: StoredReply) -> Value?
  ) throws -> [Value] {
    var values: [Value] = []
    var (date, question) = (Int64.max, "")
    while true {
      let rows = try session.execute(
        """
        SELECT body, fetched_at, question FROM album_answer
        WHERE kind = $1 AND (fetched_at < $2 OR fetched_at = $2 AND question > $3)
        ORDER BY fetched_at DESC, question LIMIT $4
        """,
        .text(kind.rawValue),
        .integer(date),
        .text(question),
        .init(Self.batch)
      )
      for row in rows.map({ $0 }) {
        (date, question) = (try row.int64(1), try row.text(2))
        if let value = read(question, try Self.reply(row)) { values.append(value) }
      }
      if rows.count < Self.batch { return values }
    }
  }

  func put(_ reply: StoredReply, kind: StoredReply.Kind, to question: String) throws {
    try session.execute(
      """
      INSERT INTO album_answer (question, kind, body, fetched_at) VALUES ($1, $2, $3, $4)
      ON CONFLICT (question) DO UPDATE SET kind = excluded.kind, body = excluded.body,
        fetched_at = excluded.fetched_at
      """,
      .text(question),
      .text(kind.rawValue),
      .bytes(reply.body),
      .init(reply.fetchedAt)
    )
    try session.execute(
      """
      DELETE FROM album_answer WHERE question IN (
        SELECT question FROM album_answer WHERE kind = $1 ORDER BY fetched_at DESC OFFSET $2
      )
      """,
      .text(kind.rawValue),
      .init(kind.limit)
    )
  }

  func article(of album: StoreID, language: String) throws -> StoredReply? {
    try session.execute(
      "SELECT body, fetched_at FROM album_article WHERE album = $1 AND language = $2",
      .init(album),
      .text(language)
    )
    .first.map { try Self.reply($0) }
  }

  func putArticle(_ reply: StoredReply, of album: StoreID, language: String, keeping limit: Int) throws {
    try session.execute(
      """
      INSERT INTO album_article (album, language, body, fetched_at) VALUES ($1, $2, $3, $4)
      ON CONFLICT (album, language) DO UPDATE SET body = excluded.body, fetched_at = excluded.fetched_at
      """,
      .init(album),
      .text(language),
      .bytes(reply.body),
      .init(reply.fetchedAt)
    )
    try session.execute(
      """
      DELETE FROM album_article WHERE (album, language) IN (
        SELECT album, language FROM album_article ORDER BY fetched_at DESC OFFSET $1
      )
      """,
      .init(limit)
    )
  }

  func expireArticle(of album: StoreID, language: String) throws {
    try session.execute(
      "UPDATE album_article SET fetched_at = 0 WHERE album = $1 AND language = $2",
      .init(album),
      .text(language)
    )
  }

  private static func reply(_ row: PostgresRow) throws -> StoredReply {
    StoredReply(body: try row.bytes(0), fetchedAt: try row.date(1))
  }
}

extension PostgresValue {
  init(_ album: StoreID) { self = .integer(Int64(album.value)) }
}
