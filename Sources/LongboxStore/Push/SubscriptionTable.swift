// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import GRDB
import LongboxCore

struct SubscriptionTable {
  let database: Database

  /// The most subscriptions: more than all households need, and few enough not to fill the disk.
  static let limit = 20_000

  /// Stores a new subscription or updates a known one.
  /// - Returns: the stored subscription; nil if there are too many.
  func put(_ new: NewSubscription, newest: Comic.Number?, at date: Date) throws -> StoredSubscription? {
    let before = try subscription(new.endpoint) ?? new.replaces.flatMap { try subscription($0) }
    if before == nil {
      if let library = new.library { try makeRoom(of: library) }
      guard try makeRoom() else { return nil }
    }
    let preferences = new.preferences ?? before?.preferences ?? PushPreferences()
    if let before, let replaced = new.replaces, replaced != new.endpoint, before.endpoint != replaced {
      _ = try remove(endpoint: replaced)
    }
    if let before, before.endpoint != new.endpoint || before.publicKey != new.publicKey {
      // The old endpoint's delivery results don't apply to the new one.
      try database.execute(
        sql: """
          UPDATE subscription SET claimed = NULL, attempts = 0, nextTry = NULL, failure = NULL, failedAt = NULL, givenUp = 0
            WHERE id = ?
          """,
        arguments: [before.id]
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

  /// The most subscriptions of one library: more than a household has browsers.
  static let libraryLimit = 20

  /// Removes the library's oldest subscriptions beyond its limit, unconfirmed ones first.
  private func makeRoom(of library: LibraryName) throws {
    try database.execute(
      sql: """
        DELETE FROM subscription WHERE id IN (
          SELECT id FROM subscription WHERE library = ? ORDER BY hasReceived DESC, id DESC LIMIT -1 OFFSET ?)
        """,
      arguments: [Data(library.bytes), Self.libraryLimit - 1]
    )
  }

  /// Removes the oldest unconfirmed subscription, if there are too many.
  /// - Returns: whether there is room for one more.
  private func makeRoom() throws -> Bool {
    guard try count() >= Self.limit else { return true }
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

  /// Unconfirmed subscriptions whose next try is due, those with the fewest tries first.
  func unconfirmed(at date: Date, limit: Int) throws -> [StoredSubscription] {
    try subscriptions(
      """
      WHERE hasReceived = 0 AND claimed IS NULL AND (nextTry IS NULL OR nextTry <= ?)
        ORDER BY attempts, id LIMIT ?
      """,
      [date.seconds, limit]
    )
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

  private func subscriptions(
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
}

// What to send, and the results.
extension SubscriptionTable {
  /// Due: confirmed, behind the newest comic, no message being sent, and not postponed.
  private static let due =
    "hasReceived = 1 AND announced < :newest AND claimed IS NULL AND (nextTry IS NULL OR nextTry <= :now)"

  /// Subscriptions that were saved before any comic was known start here.
  func begin(at newest: Comic.Number) throws {
    try database.execute(
      sql: "UPDATE subscription SET announced = ? WHERE announced IS NULL",
      arguments: [newest.value]
    )
  }

  /// Messages that were being sent when the program ended are sent again, because their delivery is unknown.
  func releaseClaims() throws {
    try database.execute(sql: "UPDATE subscription SET claimed = NULL WHERE claimed IS NOT NULL")
  }

  func leastAnnounced() throws -> Int? {
    try Int.fetchOne(database, sql: "SELECT min(announced) FROM subscription WHERE hasReceived = 1")
  }

  /// The services with something due: those that answer first, then by the oldest subscription.
  ///
  /// A service gets no priority by having many subscriptions.
  func dueServices(newest: Comic.Number, at date: Date) throws -> [String] {
    try String.fetchAll(
      database,
      sql:
        "SELECT service FROM subscription WHERE \(Self.due) GROUP BY service ORDER BY max(failure IS NULL) DESC, min(id)",
      arguments: ["newest": newest.value, "now": date.seconds]
    )
  }

  func due(at service: String, newest: Comic.Number, at date: Date, limit: Int) throws -> [StoredSubscription]
  {
    // In the order of the index, so that SQLite need not sort.
    try subscriptions(
      "WHERE service = :service AND \(Self.due) ORDER BY announced DESC, id DESC LIMIT :limit",
      ["service": service, "newest": newest.value, "now": date.seconds, "limit": limit]
    )
  }

  func nextTry(newest: Comic.Number) throws -> Date? {
    try Int64.fetchOne(
      database,
      sql: """
        SELECT min(coalesce(nextTry, 0)) FROM subscription
          WHERE hasReceived = 1 AND announced < ? AND claimed IS NULL
        """,
      arguments: [newest.value]
    ).map { Date(seconds: $0) }
  }

  /// Marks messages as being sent; returns the subscriptions that still exist.
  func claim(_ ids: [Int64], upTo comic: Comic.Number) throws -> Set<Int64> {
    let claim = try database.cachedStatement(
      sql: """
        UPDATE subscription SET claimed = ?1, attempts = attempts + 1
          WHERE id IN (SELECT value FROM json_each(?2)) AND announced < ?1 RETURNING id
        """
    )
    return try Int64.fetchSet(claim, arguments: [comic.value, Self.list(ids)])
  }

  func note(_ ids: [Int64], announced comic: Comic.Number) throws {
    try database.cachedStatement(
      sql: """
        UPDATE subscription SET announced = max(announced, ?), claimed = NULL, attempts = 0, nextTry = NULL,
          failure = NULL, failedAt = NULL, givenUp = 0, hasReceived = 1 WHERE id IN (SELECT value FROM json_each(?))
        """
    )
    .execute(arguments: [comic.value, Self.list(ids)])
  }

  /// Ids as one argument: a JSON array.
  private static func list(_ ids: [Int64]) -> String {
    "[" + ids.map { String($0) }.joined(separator: ",") + "]"
  }

  func apply(_ update: SubscriptionUpdate, at date: Date) throws {
    let id = update.subscription
    if let endpoint = update.endpoint, try self.endpoint(of: id) != endpoint {
      // The endpoint has changed since: send the message to the new one.
      return try apply(SubscriptionUpdate(id, .unsent), at: date)
    }
    switch update.change {
    case .announced(let comic):
      try note([id], announced: comic)
    case .givenUp(let comic, let reason):
      try database.execute(
        sql: """
          UPDATE subscription SET announced = max(announced, :comic), claimed = NULL, attempts = 0, nextTry = NULL,
            failure = :reason, failedAt = :now, givenUp = givenUp + 1 WHERE id = :id
          """,
        arguments: [
          "comic": comic.value, "id": id, "reason": String(reason.prefix(300)), "now": date.seconds,
        ]
      )
      try removeHopeless()
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
    case .unsent:
      try database.execute(
        sql: "UPDATE subscription SET claimed = NULL, attempts = max(attempts - 1, 0) WHERE id = ?",
        arguments: [id]
      )
    case .gone:
      _ = try remove(id)
    }
  }

  /// After this many given-up comics in a row (about three weeks), the subscription is removed.
  private static let mostGivenUp = 10

  private func removeHopeless() throws {
    try database.execute(sql: "DELETE FROM subscription WHERE givenUp >= ?", arguments: [Self.mostGivenUp])
  }

  private func endpoint(of id: Int64) throws -> String? {
    try String.fetchOne(database, sql: "SELECT endpoint FROM subscription WHERE id = ?", arguments: [id])
  }

  /// Counts a try for everything due at a forbidden service, and gives up what was tried often enough.
  func reject(
    _ service: String,
    atMost attempts: Int,
    reason: String,
    newest: Comic.Number,
    at date: Date
  ) throws {
    let due = "service = :service AND \(Self.due)"
    let arguments: StatementArguments = [
      "service": service, "newest": newest.value, "now": date.seconds,
      "reason": String(reason.prefix(300)), "attempts": attempts,
    ]
    try database.execute(
      sql: """
        UPDATE subscription SET announced = iif(attempts + 1 < :attempts, announced, :newest),
          givenUp = givenUp + iif(attempts + 1 < :attempts, 0, 1), attempts = iif(attempts + 1 < :attempts, attempts + 1, 0),
          failure = :reason, failedAt = :now WHERE \(due)
        """,
      arguments: arguments
    )
    try removeHopeless()
  }

  /// Postpones everything due at a service to a date.
  func putOff(_ service: String, until: Date, reason: String, newest: Comic.Number, at date: Date) throws {
    try database.execute(
      sql: """
        UPDATE subscription SET nextTry = :until, failure = :reason, failedAt = :now
          WHERE service = :service AND hasReceived = 1 AND announced < :newest AND claimed IS NULL
            AND coalesce(nextTry, 0) < :until
        """,
      arguments: [
        "service": service, "newest": newest.value, "now": date.seconds, "until": until.seconds,
        "reason": String(reason.prefix(300)),
      ]
    )
  }
}

extension StoredSubscription {
  /// Columns are read by index: for ten thousand rows, looking up names takes longer than everything else.
  fileprivate static let columns = """
    id, endpoint, service, publicKey, secret, hidesSpoilers, quietFrom, quietUntil, timeZone, createdAt, announced,
    attempts, nextTry, failure, failedAt, hasReceived
    """

  fileprivate init(_ row: Row) throws {
    id = row[0]
    endpoint = row[1]
    service = row[2]
    publicKey = try row.withUnsafeData(atIndex: 3) { [UInt8]($0 ?? Data()) }
    secret = try row.withUnsafeData(atIndex: 4) { [UInt8]($0 ?? Data()) }
    var quietHours: QuietHours?
    if let from = row[6] as Int?, let until = row[7] as Int? {
      quietHours = QuietHours(from: from, until: until)
    }
    preferences = PushPreferences(hidesSpoilers: row[5], quietHours: quietHours, timeZone: row[8])
    createdAt = Date(seconds: row[9])
    announced = (row[10] as Int?).flatMap { Comic.Number($0) }
    attempts = row[11]
    nextTry = (row[12] as Int64?).map { Date(seconds: $0) }
    failure = row[13]
    failedAt = (row[14] as Int64?).map { Date(seconds: $0) }
    isConfirmed = row[15]
  }
}
