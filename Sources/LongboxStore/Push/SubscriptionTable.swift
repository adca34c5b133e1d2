// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import GRDB
import LongboxCore

/// The SQL about those who want to hear of new comics.
struct SubscriptionTable {
  let database: Database

  /// The most subscriptions that are kept: beyond all households, and few enough that nobody fills the disk with them.
  static let limit = 20_000

  /// Keeps a subscription, new or known.
  /// - Returns: the subscription as it is now; nothing where there are too many.
  func put(_ new: NewSubscription, newest: Comic.Number?, at date: Date) throws -> StoredSubscription? {
    let before = try subscription(new.endpoint) ?? new.replaces.flatMap { try subscription($0) }
    if before == nil, try count() >= Self.limit { return nil }
    let wishes = new.wishes ?? before?.wishes ?? PushWishes()
    if let before {
      try database.execute(
        sql: "DELETE FROM subscription WHERE endpoint = ? AND id <> ?",
        arguments: [new.endpoint, before.id]
      )
    }
    try database.execute(
      sql: """
        INSERT INTO subscription (id, endpoint, service, publicKey, secret, library, hidesSpoilers, quietFrom, quietUntil,
          timeZone, createdAt, announced)
        VALUES (:id, :endpoint, :service, :publicKey, :secret, :library, :hidesSpoilers, :quietFrom, :quietUntil,
          :timeZone, :date, :announced)
        ON CONFLICT (id) DO UPDATE SET endpoint = excluded.endpoint, service = excluded.service,
          publicKey = excluded.publicKey, secret = excluded.secret, library = coalesce(excluded.library, library),
          hidesSpoilers = excluded.hidesSpoilers, quietFrom = excluded.quietFrom, quietUntil = excluded.quietUntil,
          timeZone = excluded.timeZone
        """,
      arguments: [
        "id": before?.id, "endpoint": new.endpoint, "service": new.service, "publicKey": Data(new.publicKey),
        "secret": Data(new.secret), "library": new.library.map { Data($0.bytes) },
        "hidesSpoilers": wishes.hidesSpoilers, "quietFrom": wishes.quietHours?.from,
        "quietUntil": wishes.quietHours?.until, "timeZone": wishes.timeZone, "date": date.seconds,
        "announced": newest?.value,
      ]
    )
    return try subscription(new.endpoint)
  }

  func subscription(_ endpoint: String) throws -> StoredSubscription? {
    try Row.fetchOne(database, sql: "SELECT * FROM subscription WHERE endpoint = ?", arguments: [endpoint])
      .map { try StoredSubscription($0) }
  }

  func all() throws -> [StoredSubscription] {
    try subscriptions("SELECT * FROM subscription ORDER BY id")
  }

  /// Removes one; says whether it was there.
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

  private func subscriptions(_ sql: String, _ arguments: StatementArguments = []) throws
    -> [StoredSubscription]
  {
    try Row.fetchAll(database, sql: sql, arguments: arguments).map { try StoredSubscription($0) }
  }
}

// What is to be told, and what became of it.
extension SubscriptionTable {
  /// What is due: not up to date, nothing on its way, and not to be waited for.
  private static let due =
    "announced < :newest AND claimed IS NULL AND (nextTry IS NULL OR nextTry <= :now)"

  /// Those who subscribed before any comic was known begin here.
  func begin(at newest: Comic.Number) throws {
    try database.execute(
      sql: "UPDATE subscription SET announced = ? WHERE announced IS NULL",
      arguments: [newest.value]
    )
  }

  /// Messages that were on their way when the program ended are tried again: nobody knows whether they arrived.
  func releaseClaims() throws {
    try database.execute(sql: "UPDATE subscription SET claimed = NULL WHERE claimed IS NOT NULL")
  }

  /// The least comic up to which somebody was told of all.
  func leastAnnounced() throws -> Int? {
    try Int.fetchOne(database, sql: "SELECT min(announced) FROM subscription")
  }

  /// The services with something due, that with the most first.
  func dueServices(newest: Comic.Number, at date: Date) throws -> [String] {
    try String.fetchAll(
      database,
      sql:
        "SELECT service FROM subscription WHERE \(Self.due) GROUP BY service ORDER BY count(*) DESC, service",
      arguments: ["newest": newest.value, "now": date.seconds]
    )
  }

  func due(at service: String, newest: Comic.Number, at date: Date, limit: Int) throws -> [StoredSubscription]
  {
    try subscriptions(
      "SELECT * FROM subscription WHERE service = :service AND \(Self.due) ORDER BY announced DESC, id LIMIT :limit",
      ["service": service, "newest": newest.value, "now": date.seconds, "limit": limit]
    )
  }

  /// When something that waits is due.
  func nextTry(newest: Comic.Number) throws -> Date? {
    try Int64.fetchOne(
      database,
      sql: "SELECT min(coalesce(nextTry, 0)) FROM subscription WHERE announced < ? AND claimed IS NULL",
      arguments: [newest.value]
    ).map { Date(seconds: $0) }
  }

  /// Notes that a message is on its way; says whether the subscription is still there.
  func claim(_ id: Int64, upTo comic: Comic.Number) throws -> Bool {
    try database.execute(
      sql:
        "UPDATE subscription SET claimed = :comic, attempts = attempts + 1 WHERE id = :id AND announced < :comic",
      arguments: ["comic": comic.value, "id": id]
    )
    return database.changesCount > 0
  }

  func settle(_ settlement: Settlement, at date: Date) throws {
    let id = settlement.subscription
    switch settlement.end {
    case .announced(let comic):
      try database.execute(
        sql: """
          UPDATE subscription SET announced = max(announced, :comic), claimed = NULL, attempts = 0, nextTry = NULL,
            failure = NULL, failedAt = NULL WHERE id = :id
          """,
        arguments: ["comic": comic.value, "id": id]
      )
    case .givenUp(let comic, let reason):
      try database.execute(
        sql: """
          UPDATE subscription SET announced = max(announced, :comic), claimed = NULL, attempts = 0, nextTry = NULL,
            failure = :reason, failedAt = :now WHERE id = :id
          """,
        arguments: [
          "comic": comic.value, "id": id, "reason": String(reason.prefix(300)), "now": date.seconds,
        ]
      )
    case .later(let until, let reason):
      try database.execute(
        sql: """
          UPDATE subscription SET claimed = NULL, nextTry = :until, failure = coalesce(:reason, failure),
            failedAt = CASE WHEN :reason IS NULL THEN failedAt ELSE :now END WHERE id = :id
          """,
        arguments: [
          "until": until.seconds, "id": id, "reason": reason.map { String($0.prefix(300)) },
          "now": date.seconds,
        ]
      )
    case .gone:
      _ = try remove(id)
    }
  }

  /// Puts off all that is due at a service.
  func putOff(_ service: String, until: Date, reason: String, newest: Comic.Number, at date: Date) throws {
    try database.execute(
      sql: """
        UPDATE subscription SET nextTry = :until, failure = :reason, failedAt = :now WHERE service = :service AND \(Self.due)
        """,
      arguments: [
        "service": service, "newest": newest.value, "now": date.seconds, "until": until.seconds,
        "reason": String(reason.prefix(300)),
      ]
    )
  }
}

extension StoredSubscription {
  fileprivate init(_ row: Row) throws {
    id = row["id"]
    endpoint = row["endpoint"]
    service = row["service"]
    publicKey = try row.bytes("publicKey")
    secret = try row.bytes("secret")
    let from: Int? = row["quietFrom"]
    let until: Int? = row["quietUntil"]
    var quietHours: QuietHours?
    if let from, let until { quietHours = QuietHours(from: from, until: until) }
    wishes = PushWishes(
      hidesSpoilers: row["hidesSpoilers"],
      quietHours: quietHours,
      timeZone: row["timeZone"]
    )
    createdAt = Date(seconds: row["createdAt"])
    announced = (row["announced"] as Int?).flatMap { Comic.Number($0) }
    attempts = row["attempts"]
    nextTry = row.date("nextTry")
    failure = row["failure"]
    failedAt = row.date("failedAt")
  }
}
