// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import GRDB
import LongboxCore

/// The SQL about hooks.
struct SQLiteHookTable: HookTable {
  let database: Database

  /// The table, as migration 017 makes it.
  ///
  /// `hook` is the SHA-256 of a hook's address. `nextTry` is NULL once nothing is sent any more.
  static func create(_ database: Database) throws {
    try database.execute(
      sql: """
        CREATE TABLE hookDelivery (
          hook BLOB NOT NULL CHECK (length(hook) = 32),
          comic INTEGER NOT NULL CHECK (comic BETWEEN 1 AND 999999 AND comic <> 404),
          state TEXT NOT NULL CHECK (state IN ('due', 'delivered', 'failed', 'skipped')),
          attempts INTEGER NOT NULL CHECK (attempts >= 0),
          since INTEGER NOT NULL,
          nextTry INTEGER,
          failure TEXT,
          changedAt INTEGER NOT NULL,
          PRIMARY KEY (hook, comic),
          CHECK ((state = 'due') = (nextTry IS NOT NULL))
        ) STRICT, WITHOUT ROWID;
        """
    )
  }

  func latest(_ hook: [UInt8]) throws -> HookDelivery? {
    let sql = "SELECT * FROM hookDelivery WHERE hook = ? ORDER BY comic DESC LIMIT 1"
    return try Row.fetchOne(database, sql: sql, arguments: [Data(hook)]).map(Self.delivery)
  }

  func due(_ hook: [UInt8], at date: Date) throws -> [HookDelivery] {
    let isOver = StoredPause.hook.isOver("nextTry", at: "?2")
    let sql = "SELECT * FROM hookDelivery WHERE hook = ?1 AND \(isOver) ORDER BY comic"
    return try Row.fetchAll(database, sql: sql, arguments: [Data(hook), date.seconds]).map(Self.delivery)
  }

  func nextTry(_ hook: [UInt8], at date: Date) throws -> Date? {
    let isTooFar = StoredPause.hook.isTooFar("nextTry", at: "?2")
    let sql = "SELECT min(iif(\(isTooFar), ?2, nextTry)) FROM hookDelivery WHERE hook = ?1"
    return try Int64.fetchOne(database, sql: sql, arguments: [Data(hook), date.seconds]).map {
      Date(seconds: $0)
    }
  }

  func insert(_ delivery: HookDelivery) throws {
    try database.execute(
      sql: """
        INSERT INTO hookDelivery (hook, comic, state, attempts, since, nextTry, failure, changedAt)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (hook, comic) DO NOTHING
        """,
      arguments: [
        Data(delivery.hook), delivery.comic.value, delivery.state.rawValue, delivery.attempts,
        delivery.since.seconds, delivery.nextTry?.seconds, HookLimits.stored(delivery.failure),
        delivery.changedAt.seconds,
      ]
    )
  }

  func remove(_ hook: [UInt8], before comic: Int) throws {
    try database.execute(
      sql: "DELETE FROM hookDelivery WHERE hook = ? AND comic < ? AND state <> 'due'",
      arguments: [Data(hook), comic]
    )
  }

  func update(_ old: HookDelivery, to new: HookDelivery) throws -> Bool {
    try database.execute(
      sql: """
        UPDATE hookDelivery SET state = ?1, attempts = ?2, nextTry = ?3, failure = ?4, changedAt = ?5
        WHERE hook = ?6 AND comic = ?7 AND state = 'due' AND (attempts = ?8 OR ?1 <> 'due')
        """,
      arguments: [
        new.state.rawValue, new.attempts, new.nextTry?.seconds, HookLimits.stored(new.failure),
        new.changedAt.seconds, Data(old.hook), old.comic.value, old.attempts,
      ]
    )
    return database.changesCount > 0
  }

  private static func delivery(_ row: Row) throws -> HookDelivery {
    guard let state = HookDelivery.State(rawValue: try row.value("state")) else {
      throw row.unexpected("state")
    }
    var delivery = HookDelivery(
      try row.bytes("hook"),
      try row.number("comic"),
      state,
      at: Date(seconds: try row.value("since"))
    )
    delivery.attempts = try row.value("attempts")
    delivery.nextTry = try row.date("nextTry")
    delivery.failure = try row.value("failure")
    delivery.changedAt = Date(seconds: try row.value("changedAt"))
    return delivery
  }
}
