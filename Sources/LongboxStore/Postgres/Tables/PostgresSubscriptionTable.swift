// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore

struct PostgresSubscriptionTable: SubscriptionTable {
  let session: PostgresSession

  func put(_ new: NewSubscription, newest: Comic.Number?, at date: Date, atMost limit: Int) throws
    -> StoredSubscription?
  {
    // Another transaction may be inserting the same endpoint: the second one waits, and then updates the row.
    try session.execute("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", .text(new.endpoint))
    let before = try subscription(new.endpoint) ?? new.replaces.flatMap { try subscription($0) }
    if let before {
      if let replaced = new.replaces, replaced != new.endpoint, before.endpoint != replaced {
        _ = try remove(endpoint: replaced)
      }
      try update(before, new, at: date)
    } else {
      if let library = new.library { try evictOldest(of: library) }
      guard try evictUnconfirmed(atMost: limit) else { return nil }
      try insert(new, newest: newest, at: date)
    }
    return try subscription(new.endpoint)
  }

  private func update(_ before: StoredSubscription, _ new: NewSubscription, at date: Date) throws {
    if before.endpoint != new.endpoint || before.publicKey != new.publicKey {
      // The old endpoint's delivery results don't apply to the new one, nor does the time that it had to be confirmed.
      try session.execute(
        """
        UPDATE subscription SET claimed = NULL, attempts = 0, next_try = NULL, failure = NULL, failed_at = NULL,
          given_up = 0, created_at = CASE WHEN has_received THEN created_at ELSE $2 END WHERE id = $1
        """,
        .integer(before.id),
        .init(date)
      )
    }
    let preferences = new.preferences ?? before.preferences
    try session.execute(
      """
      UPDATE subscription SET endpoint = $2, service = $3, public_key = $4, secret = $5,
        library = coalesce($6::bytea, library), hides_spoilers = $7, quiet_from = $8, quiet_until = $9,
        time_zone = $10 WHERE id = $1
      """,
      values: [.integer(before.id)] + Self.values(of: new, preferences)
    )
  }

  private func insert(_ new: NewSubscription, newest: Comic.Number?, at date: Date) throws {
    try session.execute(
      """
      INSERT INTO subscription (created_at, endpoint, service, public_key, secret, library, hides_spoilers,
        quiet_from, quiet_until, time_zone, announced, has_received)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, false)
      """,
      values: [.init(date)] + Self.values(of: new, new.preferences ?? PushPreferences())
        + [.init(newest?.value)]
    )
  }

  private static func values(
    of new: NewSubscription,
    _ preferences: PushPreferences
  ) -> [PostgresValue] {
    [
      .text(new.endpoint), .text(new.service), .bytes(new.publicKey), .bytes(new.secret),
      .init(new.library?.bytes), .boolean(preferences.hidesSpoilers), .init(preferences.quietHours?.from),
      .init(preferences.quietHours?.until), .text(preferences.timeZone),
    ]
  }

  /// Removes the library's oldest subscriptions beyond its limit, unconfirmed ones first.
  private func evictOldest(of library: LibraryName) throws {
    try session.execute(
      """
      DELETE FROM subscription WHERE id IN (
        SELECT id FROM subscription WHERE library = $1 ORDER BY has_received DESC, id DESC OFFSET $2)
      """,
      .init(library),
      .init(SubscriptionLimits.ofLibrary - 1)
    )
  }

  /// Removes the oldest unconfirmed subscription, if there are too many.
  /// - Returns: whether there is room for one more.
  private func evictUnconfirmed(atMost limit: Int) throws -> Bool {
    guard try count() >= limit else { return true }
    return try session.execute(
      """
      DELETE FROM subscription WHERE id = (
        SELECT min(id) FROM subscription WHERE NOT has_received AND claimed IS NULL)
      """
    ).changed > 0
  }

  func subscription(_ endpoint: String) throws -> StoredSubscription? {
    try subscriptions("WHERE endpoint = $1", .text(endpoint)).first
  }

  func all() throws -> [StoredSubscription] { try subscriptions("ORDER BY id") }

  func remove(endpoint: String) throws -> Bool {
    try session.execute("DELETE FROM subscription WHERE endpoint = $1", .text(endpoint)).changed > 0
  }

  func remove(_ id: Int64) throws -> Bool {
    try session.execute("DELETE FROM subscription WHERE id = $1", .integer(id)).changed > 0
  }

  func count() throws -> Int {
    try session.execute("SELECT count(*) FROM subscription").first?.int(0) ?? 0
  }

  func failingCount() throws -> Int {
    try session.execute("SELECT count(*) FROM subscription WHERE failure IS NOT NULL").first?.int(0) ?? 0
  }

  func subscriptions(_ condition: String, _ values: PostgresValue...) throws -> [StoredSubscription] {
    try session.execute("SELECT \(StoredSubscription.columns) FROM subscription \(condition)", values: values)
      .map { try StoredSubscription($0) }
  }
}

extension StoredSubscription {
  fileprivate static let columns = """
    id, endpoint, service, public_key, secret, hides_spoilers, quiet_from, quiet_until, time_zone, created_at, announced,
    attempts, next_try, failure, failed_at, has_received
    """

  fileprivate init(_ row: PostgresRow) throws {
    id = try row.int64(0)
    endpoint = try row.text(1)
    service = try row.text(2)
    publicKey = try row.bytes(3)
    secret = try row.bytes(4)
    var quietHours: QuietHours?
    if let from = try row.optionalInt(6), let until = try row.optionalInt(7) {
      quietHours = QuietHours(from: from, until: until)
    }
    preferences = PushPreferences(
      hidesSpoilers: try row.bool(5),
      quietHours: quietHours,
      timeZone: try row.text(8)
    )
    createdAt = try row.date(9)
    announced = try row.optionalInt(10).flatMap { Comic.Number($0) }
    attempts = try row.int(11)
    nextTry = try row.optionalDate(12)
    failure = try row.optionalText(13)
    failedAt = try row.optionalDate(14)
    isConfirmed = try row.bool(15)
  }
}
