// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import GRDB
import LongboxCore

struct SQLiteSubscriptionTable: SubscriptionTable {
  let database: Database

  func put(_ new: NewSubscription, newest: Comic.Number?, at date: Date, atMost limit: Int) throws
    -> StoredSubscription?
  {
    let before = try subscription(new.endpoint) ?? new.replaces.flatMap { try subscription($0) }
    if before == nil {
      if let library = new.library { try evictOldest(of: library) }
      guard try evictUnconfirmed(atMost: limit) else { return nil }
    }
    let preferences = new.preferences ?? before?.preferences ?? PushPreferences()
    if let before, let replaced = new.replaces, replaced != new.endpoint, before.endpoint != replaced {
      _ = try remove(endpoint: replaced)
    }
    if let before, before.endpoint != new.endpoint || before.publicKey != new.publicKey {
      // The old endpoint's delivery results don't apply to the new one, nor does the time that it had to be confirmed.
      try database.execute(
        sql: """
          UPDATE subscription SET claimed = NULL, attempts = 0, nextTry = NULL, failure = NULL, failedAt = NULL, givenUp = 0,
            createdAt = iif(hasReceived, createdAt, ?) WHERE id = ?
          """,
        arguments: [date.seconds, before.id]
      )
    }
    try database.execute(
      sql: """
        INSERT INTO subscription (id, endpoint, service, publicKey, secret, library, hidesSpoilers, quietFrom, quietUntil,
          timeZone, createdAt, announced, hasReceived)
        VALUES (:id, :endpoint, :service, :publicKey, :secret, :library, :hidesSpoilers, :quietFrom, :quietUntil,
          :timeZone, :date, :announced, 0)
        ON CONFLICT (id) DO UPDATE SET endpoint = excluded.endpoint, service = excluded.service,
          publicKey = excluded.publicKey, secret = excluded.secret, library = coalesce(excluded.library, library),
          hidesSpoilers = excluded.hidesSpoilers, quietFrom = excluded.quietFrom, quietUntil = excluded.quietUntil,
          timeZone = excluded.timeZone
        """,
      arguments: [
        "id": before?.id, "endpoint": new.endpoint, "service": new.service, "publicKey": Data(new.publicKey),
        "secret": Data(new.secret), "library": new.library.map { Data($0.bytes) },
        "hidesSpoilers": preferences.hidesSpoilers, "quietFrom": preferences.quietHours?.from,
        "quietUntil": preferences.quietHours?.until, "timeZone": preferences.timeZone, "date": date.seconds,
        "announced": newest?.value,
      ]
    )
    return try subscription(new.endpoint)
  }

  /// Removes the library's oldest subscriptions beyond its limit, unconfirmed ones first.
  private func evictOldest(of library: LibraryName) throws {
    try database.execute(
      sql: """
        DELETE FROM subscription WHERE id IN (
          SELECT id FROM subscription WHERE library = ? ORDER BY hasReceived DESC, id DESC LIMIT -1 OFFSET ?)
        """,
      arguments: [Data(library.bytes), SubscriptionLimits.ofLibrary - 1]
    )
  }

  /// Removes the oldest unconfirmed subscription, if there are too many.
  /// - Returns: whether there is room for one more.
  private func evictUnconfirmed(atMost limit: Int) throws -> Bool {
    guard try count() >= limit else { return true }
    try database.execute(
      sql: """
        DELETE FROM subscription WHERE id = (SELECT min(id) FROM subscription WHERE hasReceived = 0 AND claimed IS NULL)
        """
    )
    return database.changesCount > 0
  }

  func subscription(_ endpoint: String) throws -> StoredSubscription? {
    try subscriptions("WHERE endpoint = ?", [endpoint]).first
  }

  func all() throws -> [StoredSubscription] {
    try subscriptions("ORDER BY id")
  }

  /// Removes a subscription; returns whether it existed.
  func remove(endpoint: String) throws -> Bool {
    try database.execute(sql: "DELETE FROM subscription WHERE endpoint = ?", arguments: [endpoint])
    return database.changesCount > 0
  }

  func remove(_ id: Int64) throws -> Bool {
    try database.execute(sql: "DELETE FROM subscription WHERE id = ?", arguments: [id])
    return database.changesCount > 0
  }

  func count() throws -> Int {
    try Int.fetchOne(database, sql: "SELECT count(*) FROM subscription") ?? 0
  }

  func subscriptions(
    _ condition: String,
    _ arguments: StatementArguments = []
  ) throws -> [StoredSubscription] {
    let statement = try database.cachedStatement(
      sql: "SELECT \(StoredSubscription.columns) FROM subscription \(condition)"
    )
    return try Array(
      Row.fetchCursor(statement, arguments: arguments).map { try StoredSubscription($0) }
    )
  }

  func failingCount() throws -> Int {
    try Int.fetchOne(database, sql: "SELECT count(*) FROM subscription WHERE failure IS NOT NULL") ?? 0
  }
}

extension StoredSubscription {
  /// Columns are read by index: for ten thousand rows, looking up names takes longer than everything else.
  fileprivate static let columns = """
    id, endpoint, service, publicKey, secret, hidesSpoilers, quietFrom, quietUntil, timeZone, createdAt, announced,
    attempts, nextTry, failure, failedAt, hasReceived
    """

  fileprivate init(_ row: Row) throws {
    id = try row.value(0)
    endpoint = try row.value(1)
    service = try row.value(2)
    publicKey = try row.withUnsafeData(atIndex: 3) { [UInt8]($0 ?? Data()) }
    secret = try row.withUnsafeData(atIndex: 4) { [UInt8]($0 ?? Data()) }
    var quietHours: QuietHours?
    if let from = try row.value(6) as Int?, let until = try row.value(7) as Int? {
      quietHours = QuietHours(from: from, until: until)
    }
    preferences = PushPreferences(
      hidesSpoilers: try row.value(5),
      quietHours: quietHours,
      timeZone: try row.value(8)
    )
    createdAt = Date(seconds: try row.value(9))
    announced = (try row.value(10) as Int?).flatMap { Comic.Number($0) }
    attempts = try row.value(11)
    nextTry = (try row.value(12) as Int64?).map { Date(seconds: $0) }
    failure = try row.value(13)
    failedAt = (try row.value(14) as Int64?).map { Date(seconds: $0) }
    isConfirmed = try row.value(15)
  }
}
