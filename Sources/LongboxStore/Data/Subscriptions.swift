// Longbox
// SPDX-License-Identifier: MIT

public import Foundation
public import LongboxCore

/// The browsers that get notifications.
///
/// A subscription is confirmed once its push service has accepted a message.
public struct SubscriptionStore: Sendable {
  let store: Store

  /// Stores or updates a subscription, found by its endpoint; a new one starts after the newest comic.
  /// - Parameters:
  ///   - new: the subscription.
  ///   - newest: the newest comic, if known.
  ///   - date: now.
  /// - Returns: the stored subscription; nil if there are too many.
  public func save(
    _ new: NewSubscription,
    newest: Comic.Number?,
    at date: Date
  ) async throws(StoreError) -> StoredSubscription? {
    try await store.write { database in
      try database.subscriptions.put(new, newest: newest, at: date, atMost: SubscriptionLimits.all)
    }
  }

  /// Removes the subscription with an endpoint.
  /// - Returns: whether there was one.
  @discardableResult
  public func remove(endpoint: String) async throws(StoreError) -> Bool {
    try await store.write { database in try database.subscriptions.remove(endpoint) }
  }

  /// Removes the subscription with an id.
  /// - Returns: whether there was one.
  @discardableResult
  public func remove(_ id: StoredSubscription.ID) async throws(StoreError) -> Bool {
    try await store.write { database in
      try database.change("DELETE FROM subscription WHERE id = $1", .integer(id)) > 0
    }
  }

  /// All subscriptions, the oldest first.
  public func all() async throws(StoreError) -> [StoredSubscription] {
    try await store.read { database in try database.subscriptions.matching("ORDER BY id") }
  }

  /// Unconfirmed subscriptions whose next try is due, those with the fewest tries first.
  public func unconfirmed(at date: Date, limit: Int) async throws(StoreError)
    -> [StoredSubscription]
  {
    let isDue = StoredPause.notification.isOver("next_try", at: "$1")
    return try await store.read { database in
      try database.subscriptions.matching(
        """
        WHERE NOT has_received AND claimed IS NULL AND (next_try IS NULL OR \(isDue))
        ORDER BY attempts, id LIMIT $2
        """,
        .init(date),
        .init(limit)
      )
    }
  }

  /// Notes that a push service has accepted a message for a subscription.
  ///
  /// It does nothing if the subscription has another endpoint by now.
  public func confirm(_ subscription: StoredSubscription) async throws(StoreError) {
    try await store.write { database in
      try database.change(
        """
        UPDATE subscription SET has_received = true, attempts = 0, next_try = NULL, failure = NULL, failed_at = NULL
        WHERE id = $1 AND endpoint = $2
        """,
        .integer(subscription.id),
        .text(subscription.endpoint)
      )
    }
  }

  /// Postpones the next try of an unconfirmed subscription.
  public func postponeConfirmation(
    of subscription: StoredSubscription,
    until: Date,
    reason: String,
    at date: Date
  ) async throws(StoreError) {
    try await store.write { database in
      try database.change(
        """
        UPDATE subscription SET attempts = attempts + 1, next_try = $3, failure = $4, failed_at = $5
        WHERE id = $1 AND endpoint = $2 AND NOT has_received
        """,
        .integer(subscription.id),
        .text(subscription.endpoint),
        .init(until),
        .text(SubscriptionLimits.stored(reason)),
        .init(date)
      )
    }
  }

  /// Removes a subscription whose push service rejects it, unless it has another endpoint by now.
  public func removeUnconfirmed(_ subscription: StoredSubscription) async throws(StoreError) {
    try await store.write { database in
      try database.change(
        "DELETE FROM subscription WHERE id = $1 AND endpoint = $2 AND NOT has_received",
        .integer(subscription.id),
        .text(subscription.endpoint)
      )
    }
  }

  /// Removes the unconfirmed subscriptions that were created up to a date and tried at least once.
  /// - Returns: how many.
  public func removeUnconfirmed(createdUntil date: Date) async throws(StoreError) -> Int {
    try await store.write { database in
      try database.change(
        "DELETE FROM subscription WHERE NOT has_received AND attempts > 0 AND created_at <= $1",
        .init(date)
      )
    }
  }
}

/// The rows of the subscriptions, within one read or one transaction.
struct Subscriptions {
  let database: any SQLConnection

  /// Stores a new subscription or updates a known one.
  ///
  /// A new one beyond its library's limit replaces the library's oldest one, and unconfirmed ones first. One beyond
  /// `limit` replaces the oldest unconfirmed one. Of the unconfirmed ones, those that were never confirmed go before those
  /// that are interrupted: a browser that was notified for years comes back once this server has its key again.
  /// - Parameters:
  ///   - new: the subscription.
  ///   - newest: the newest comic, if known.
  ///   - date: now.
  ///   - limit: the most subscriptions of all libraries.
  /// - Returns: the stored subscription; nil if there are too many, and all are confirmed.
  func put(_ new: NewSubscription, newest: Comic.Number?, at date: Date, atMost limit: Int) throws
    -> StoredSubscription?
  {
    // Another transaction may be inserting the same endpoint: the second one waits, and then updates the row.
    try database.lock(.text(new.endpoint))
    let before = try subscription(new.endpoint) ?? new.replaces.flatMap { try subscription($0) }
    if let before {
      if let replaced = new.replaces, replaced != new.endpoint, before.endpoint != replaced {
        _ = try remove(replaced)
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
      try database.change(
        """
        UPDATE subscription SET claimed = NULL, attempts = 0, next_try = NULL, failure = NULL, failed_at = NULL,
          given_up = 0, created_at = CASE WHEN has_received THEN created_at ELSE $2 END WHERE id = $1
        """,
        .integer(before.id),
        .init(date)
      )
    }
    try database.change(
      """
      UPDATE subscription SET endpoint = $2, service = $3, public_key = $4, secret = $5,
        library = coalesce($6, library), hides_spoilers = $7, quiet_from = $8, quiet_until = $9, time_zone = $10
      WHERE id = $1
      """,
      [.integer(before.id)] + Self.values(of: new, new.preferences ?? before.preferences)
    )
  }

  private func insert(_ new: NewSubscription, newest: Comic.Number?, at date: Date) throws {
    try database.change(
      """
      INSERT INTO subscription (created_at, endpoint, service, public_key, secret, library, hides_spoilers,
        quiet_from, quiet_until, time_zone, announced, has_received)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, false)
      """,
      [.init(date)] + Self.values(of: new, new.preferences ?? PushPreferences()) + [.init(newest?.value)]
    )
  }

  private static func values(of new: NewSubscription, _ preferences: PushPreferences) -> [SQLValue] {
    [
      .text(new.endpoint), .text(new.service), .bytes(new.publicKey), .bytes(new.secret),
      .init(new.library?.bytes), .boolean(preferences.hidesSpoilers), .init(preferences.quietHours?.from),
      .init(preferences.quietHours?.until), .text(preferences.timeZone),
    ]
  }

  /// The order in which subscriptions make room: those never confirmed, then those that were until a service rejected
  /// this server's key, then the confirmed ones; see ``StoredSubscription/isInterrupted``.
  private static let rank =
    "CASE WHEN has_received THEN 2 WHEN attempts = 0 AND failure IS NOT NULL THEN 1 ELSE 0 END"

  /// Removes the library's oldest subscriptions beyond its limit, unconfirmed ones first.
  private func evictOldest(of library: LibraryName) throws {
    try database.change(
      """
      DELETE FROM subscription WHERE library = $1 AND id NOT IN (
        SELECT id FROM subscription WHERE library = $1 ORDER BY \(Self.rank) DESC, id DESC LIMIT $2)
      """,
      .init(library),
      .init(SubscriptionLimits.ofLibrary - 1)
    )
  }

  /// Removes the oldest unconfirmed subscription, if there are too many.
  /// - Returns: whether there is room for one more.
  private func evictUnconfirmed(atMost limit: Int) throws -> Bool {
    guard try count() >= limit else { return true }
    return try database.change(
      """
      DELETE FROM subscription WHERE id = (
        SELECT id FROM subscription WHERE NOT has_received AND claimed IS NULL ORDER BY \(Self.rank), id LIMIT 1)
      """
    ) > 0
  }

  /// Removes the subscription with an endpoint; returns whether it existed.
  func remove(_ endpoint: String) throws -> Bool {
    try database.change("DELETE FROM subscription WHERE endpoint = $1", .text(endpoint)) > 0
  }

  func count() throws -> Int { try database.number("SELECT count(*) FROM subscription") }

  private func subscription(_ endpoint: String) throws -> StoredSubscription? {
    try matching("WHERE endpoint = $1", .text(endpoint)).first
  }

  /// The subscriptions that a condition, an order and a limit select.
  func matching(_ condition: String, _ values: SQLValue...) throws -> [StoredSubscription] {
    try database.rows(
      """
      SELECT id, endpoint, service, public_key, secret, hides_spoilers, quiet_from, quiet_until, time_zone, created_at,
        announced, attempts, next_try, failure, failed_at, has_received
      FROM subscription \(condition)
      """,
      values
    ) { row in try StoredSubscription(row) }
  }
}

extension SQLConnection {
  var subscriptions: Subscriptions { Subscriptions(database: self) }
}

/// A browser that is notified of new comics.
public struct StoredSubscription: Identifiable, Sendable {
  /// Its id, which is never reused.
  public let id: Int64
  /// Where its messages are sent.
  public let endpoint: String
  /// Scheme, host and port of the endpoint.
  public let service: String
  /// The keys that encrypt its messages: 65 and 16 bytes.
  public let publicKey, secret: [UInt8]
  /// Its reader's settings.
  public let preferences: PushPreferences
  /// When it was made.
  public let createdAt: Date
  /// Whether its push service has accepted a message; comics are announced only to such subscriptions.
  public let isConfirmed: Bool
  /// The last comic that it was notified of; nil until a comic is known.
  public let announced: Comic.Number?
  /// How many times the next message was tried.
  public let attempts: Int
  /// Nothing is sent before this.
  public let nextTry: Date?
  /// Why the last message failed, or nil if it arrived.
  public let failure: String?
  /// When it failed.
  public let failedAt: Date?

  /// Whether it was confirmed before, until its push service rejected this server's key.
  public var isInterrupted: Bool { !isConfirmed && attempts == 0 && failure != nil }

  fileprivate init(_ row: SQLRow) throws {
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
    announced = try row.optionalNumber(10)
    attempts = try row.int(11)
    nextTry = try row.optionalDate(12)
    failure = try row.optionalText(13)
    failedAt = try row.optionalDate(14)
    isConfirmed = try row.bool(15)
  }
}

/// A browser's subscription as it was received.
public struct NewSubscription: Sendable {
  /// Where its messages are sent.
  public var endpoint: String
  /// Scheme, host and port of the endpoint.
  public var service: String
  /// The keys that encrypt its messages: 65 and 16 bytes.
  public var publicKey, secret: [UInt8]
  /// The reader's library, if there is one.
  public var library: LibraryName?
  /// Its reader's settings, or nil to keep the stored ones.
  public var preferences: PushPreferences?
  /// The endpoint that this one replaces, if the browser has changed it.
  public var replaces: String?

  /// Makes a subscription.
  public init(
    endpoint: String,
    service: String,
    publicKey: [UInt8],
    secret: [UInt8],
    library: LibraryName? = nil,
    preferences: PushPreferences? = nil,
    replaces: String? = nil
  ) {
    self.endpoint = endpoint
    self.service = service
    self.publicKey = publicKey
    self.secret = secret
    self.library = library
    self.preferences = preferences
    self.replaces = replaces
  }
}

/// A reader's notification settings on one device.
public struct PushPreferences: Hashable, Sendable {
  /// Whether notifications hide title and picture.
  public var hidesSpoilers: Bool
  /// When to send nothing, if ever.
  public var quietHours: QuietHours?
  /// The reader's time zone, by its name in the IANA database, at most 64 characters.
  public var timeZone: String

  /// Makes settings.
  public init(hidesSpoilers: Bool = false, quietHours: QuietHours? = nil, timeZone: String = "UTC") {
    self.hidesSpoilers = hidesSpoilers
    self.quietHours = quietHours
    self.timeZone = timeZone
  }
}

/// The hours of a day without notifications.
public struct QuietHours: Hashable, Sendable {
  /// The start, in minutes since midnight: 0 up to 1439.
  public let from: Int
  /// The end; if it is before the start, it is on the next day.
  public let until: Int

  /// Makes quiet hours; nil if a time is out of range, or both are the same.
  public init?(from: Int, until: Int) {
    guard (0..<1440).contains(from), (0..<1440).contains(until), from != until else { return nil }
    self.from = from
    self.until = until
  }
}

enum SubscriptionLimits {
  /// The most subscriptions: more than all households need, and few enough not to fill the disk.
  static let all = 20_000
  /// The most subscriptions of one library: more than a household has browsers.
  static let ofLibrary = 20
  /// After this many given-up comics in a row (about three weeks), the subscription is removed.
  static let givenUp = 10

  /// A failure's reason as it is stored: a push service can make it long.
  static func stored(_ reason: String) -> String { String(reason.prefix(300)) }
}
