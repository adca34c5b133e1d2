// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore

struct PostgresHookTable: HookTable {
  let session: PostgresSession

  /// The table, as migration 005 makes it; see `SQLiteHookTable`.
  static let migration = PostgresSchema.Migration(
    name: "005 what was announced to hooks",
    sql: [
      """
      CREATE TABLE hook_delivery (
        hook bytea NOT NULL CHECK (octet_length(hook) = 32),
        comic bigint NOT NULL CHECK (comic BETWEEN 1 AND 999999 AND comic <> 404),
        state text NOT NULL CHECK (state IN ('due', 'delivered', 'failed', 'skipped')),
        attempts bigint NOT NULL CHECK (attempts >= 0),
        since bigint NOT NULL,
        next_try bigint,
        failure text,
        changed_at bigint NOT NULL,
        PRIMARY KEY (hook, comic),
        CHECK ((state = 'due') = (next_try IS NOT NULL))
      );
      """
    ]
  )

  private static let columns = "hook, comic, state, attempts, since, next_try, failure, changed_at"

  func latest(_ hook: [UInt8]) throws -> HookDelivery? {
    try session.execute(
      "SELECT \(Self.columns) FROM hook_delivery WHERE hook = $1 ORDER BY comic DESC LIMIT 1",
      .bytes(hook)
    )
    .first.map(Self.delivery)
  }

  func due(_ hook: [UInt8], at date: Date) throws -> [HookDelivery] {
    let isOver = StoredPause.hook.isOver("next_try", at: "$2")
    return try session.execute(
      "SELECT \(Self.columns) FROM hook_delivery WHERE hook = $1 AND \(isOver) ORDER BY comic",
      .bytes(hook),
      .init(date)
    )
    .map(Self.delivery)
  }

  func nextTry(_ hook: [UInt8], at date: Date) throws -> Date? {
    let isTooFar = StoredPause.hook.isTooFar("next_try", at: "$2")
    return try session.execute(
      "SELECT min(CASE WHEN \(isTooFar) THEN $2 ELSE next_try END) FROM hook_delivery WHERE hook = $1",
      .bytes(hook),
      .init(date)
    )
    .first?.optionalDate(0)
  }

  func insert(_ delivery: HookDelivery) throws {
    try session.execute(
      """
      INSERT INTO hook_delivery (\(Self.columns)) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
      ON CONFLICT (hook, comic) DO NOTHING
      """,
      .bytes(delivery.hook),
      .init(delivery.comic),
      .text(delivery.state.rawValue),
      .init(delivery.attempts),
      .init(delivery.since),
      .init(delivery.nextTry),
      .init(HookLimits.stored(delivery.failure)),
      .init(delivery.changedAt)
    )
  }

  func remove(_ hook: [UInt8], before comic: Int) throws {
    try session.execute(
      "DELETE FROM hook_delivery WHERE hook = $1 AND comic < $2 AND state <> 'due'",
      .bytes(hook),
      .init(comic)
    )
  }

  func update(_ old: HookDelivery, to new: HookDelivery) throws -> Bool {
    try session.execute(
      """
      UPDATE hook_delivery SET state = $1, attempts = $2, next_try = $3, failure = $4, changed_at = $5
      WHERE hook = $6 AND comic = $7 AND state = 'due' AND (attempts = $8 OR $1 <> 'due')
      """,
      .text(new.state.rawValue),
      .init(new.attempts),
      .init(new.nextTry),
      .init(HookLimits.stored(new.failure)),
      .init(new.changedAt),
      .bytes(old.hook),
      .init(old.comic),
      .init(old.attempts)
    )
    .changed > 0
  }

  private static func delivery(_ row: PostgresRow) throws -> HookDelivery {
    guard let state = HookDelivery.State(rawValue: try row.text(2)) else { throw row.unexpected(2) }
    var delivery = HookDelivery(try row.bytes(0), try row.number(1), state, at: try row.date(4))
    delivery.attempts = try row.int(3)
    delivery.nextTry = try row.optionalDate(5)
    delivery.failure = try row.optionalText(6)
    delivery.changedAt = try row.date(7)
    return delivery
  }
}
