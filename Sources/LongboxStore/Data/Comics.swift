// Longbox
// SPDX-License-Identifier: MIT

public import struct Foundation.Date
public import struct LongboxCore.Comic
public import struct LongboxCore.PictureFacts

/// The comics' records, as the source sent them.
public struct ComicStore: Sendable {
  let store: Store

  /// The number of stored comics.
  public func count() async throws(StoreError) -> Int {
    try await store.read { database in try database.comics.count() }
  }

  /// The greatest number of a stored comic, or nil if none is stored.
  public func newest() async throws(StoreError) -> Comic.Number? {
    try await store.read { database in try database.comics.newest() }
  }

  /// The revision of the last real change, or `Revision.empty`.
  public func revision() async throws(StoreError) -> Revision {
    try await store.read { database in
      Revision(try database.number("SELECT value FROM counter WHERE name = 'comics'"))
    }
  }

  /// A stored comic, or nil.
  public func comic(_ number: Comic.Number) async throws(StoreError) -> StoredComic? {
    try await store.read { database in
      try database.first("\(Comics.selection) WHERE comic.number = $1", .init(number), read: Comics.comic)
    }
  }

  /// A comic's record as the source sent it, or nil.
  public func rawRecord(_ number: Comic.Number) async throws(StoreError) -> [UInt8]? {
    try await store.read { database in try database.comics.raw(number) }
  }

  /// The comics that have changed after a revision, ordered by number; all comics are about 2.5 MB, so one
  /// array holds them.
  /// - Parameter revision: the last one that the caller knows; `Revision.empty` for all comics.
  public func comics(changedSince revision: Revision) async throws(StoreError) -> [StoredComic] {
    let sql = "\(Comics.selection) WHERE comic.revision > $1 ORDER BY comic.number"
    return try await store.read { database in
      try database.rows(sql, .init(revision.value), read: Comics.comic)
    }
  }

  /// The comics that were added or changed, oldest change first.
  /// - Parameters:
  ///   - revision: the last revision that the caller knows.
  ///   - number: the last comic of that revision that the caller knows.
  ///   - last: the last revision to return.
  ///   - limit: the most changes.
  public func changes(
    after revision: Revision,
    _ number: Int,
    upTo last: Revision,
    limit: Int
  ) async throws(StoreError) -> [StoredChange] {
    try await store.read { database in
      try database.rows(
        """
        SELECT number, revision FROM comic WHERE (revision, number) > ($1, $2) AND revision <= $3
        ORDER BY revision, number LIMIT $4
        """,
        .init(revision.value),
        .init(number),
        .init(last.value),
        .init(limit)
      ) { row in StoredChange(number: try row.number(0), revision: Revision(try row.int(1))) }
    }
  }

  /// Stores fetched records in one transaction; identical bytes update only the validator and the date.
  /// - Parameter records: any number. If two have the same number, the later one counts.
  /// - Returns: how many were new, changed or unchanged.
  @discardableResult
  public func save(_ records: [FetchedRecord]) async throws(StoreError) -> SaveCounts {
    try await store.write { database in try database.comics.save(records) }
  }

  /// Notes that the source has confirmed the stored record ("304 Not Modified").
  /// - Parameters:
  ///   - number: the comic.
  ///   - validator: the validator for the next request.
  ///   - date: when it was confirmed.
  ///   - lookAgain: when to fetch it again, or nil.
  /// - Throws: `unknownComic` if no record is stored.
  public func confirm(
    _ number: Comic.Number,
    validator: StoredValidator,
    at date: Date,
    lookAgain: Date? = nil
  ) async throws(StoreError) {
    try await store.write { database in
      let confirmed = try database.change(
        "UPDATE comic SET etag = $2, last_modified = $3, fetched_at = $4 WHERE number = $1",
        .init(number),
        .init(validator.etag),
        .init(validator.lastModified),
        .init(date)
      )
      guard confirmed > 0 else { throw StoreError.unknownComic(number) }
      try database.fetches.noteFetched(.record, of: number, lookAgain: lookAgain)
    }
  }
}

/// The comics' rows, within one read or one transaction.
struct Comics {
  let database: any SQLConnection

  func count() throws -> Int { try database.number("SELECT count(*) FROM comic") }

  func newest() throws -> Comic.Number? {
    try database.first("SELECT max(number) FROM comic") { row in try row.optionalNumber(0) } ?? nil
  }

  /// The missing numbers up to the newest, except 404.
  func gaps() throws -> [Comic.Number] {
    guard let newest = try newest() else { return [] }
    let stored = Set(try database.rows("SELECT number FROM comic") { row in try row.number(0) })
    return (1...newest.value).compactMap { Comic.Number($0) }.filter { !stored.contains($0) }
  }

  func raw(_ number: Comic.Number) throws -> [UInt8]? {
    try database.first("SELECT raw FROM comic WHERE number = $1", .init(number)) { row in try row.bytes(0) }
  }

  /// Stores fetched records; all real changes get one new revision.
  func save(_ records: [FetchedRecord]) throws -> SaveCounts {
    guard !records.isEmpty else { return SaveCounts() }
    let revision = try Counter.comics.lock(in: database) + 1
    var stored = Dictionary(
      try database.rows(
        "SELECT number, raw FROM comic WHERE number \(database.dialect.isIn("$1"))",
        .init(records.map(\.number))
      ) { row in (try row.number(0), try row.bytes(1)) }
    ) { $1 }
    var counts = SaveCounts()
    var changed: Set<Comic.Number> = []
    for record in records {
      switch stored[record.number].map({ $0 == record.raw }) {
      case nil: counts.inserted += 1
      case true: counts.unchanged += 1
      default: counts.changed += 1
      }
      if stored[record.number] != record.raw { changed.insert(record.number) }
      stored[record.number] = record.raw
    }
    // If a comic has two records, the later one is stored. Always in the same order, so two nodes can't deadlock.
    let last = Dictionary(records.map { ($0.number, $0) }) { $1 }.values.sorted { $0.number < $1.number }
    try database.change(
      """
      INSERT INTO comic (number, raw, etag, last_modified, fetched_at, revision) VALUES ($1, $2, $3, $4, $5, $6)
      ON CONFLICT (number) DO UPDATE SET raw = excluded.raw, etag = excluded.etag,
        last_modified = excluded.last_modified, fetched_at = excluded.fetched_at, revision = excluded.revision
      """,
      each: last.filter { changed.contains($0.number) }.map { record in
        [
          .init(record.number), .bytes(record.raw), .init(record.validator.etag),
          .init(record.validator.lastModified), .init(record.fetchedAt), .init(revision),
        ]
      }
    )
    try database.change(
      "UPDATE comic SET etag = $2, last_modified = $3, fetched_at = $4 WHERE number = $1",
      each: last.filter { !changed.contains($0.number) }.map { record in
        [
          .init(record.number), .init(record.validator.etag), .init(record.validator.lastModified),
          .init(record.fetchedAt),
        ]
      }
    )
    try database.fetches.noteFetched(.record, last.map { ($0.number, lookAgain: $0.lookAgain) })
    if !changed.isEmpty { try Counter.comics.set(revision, in: database) }
    return counts
  }

  /// Gives comics a new revision, because something outside their records has changed; those not stored are ignored.
  func noteChange(of numbers: [Comic.Number]) throws {
    guard !numbers.isEmpty else { return }
    let revision = try Counter.comics.lock(in: database) + 1
    let changed = try database.change(
      "UPDATE comic SET revision = $1 WHERE number \(database.dialect.isIn("$2"))",
      .init(revision),
      .init(numbers)
    )
    if changed > 0 { try Counter.comics.set(revision, in: database) }
  }

  fileprivate static let selection = """
    SELECT comic.number, raw, etag, last_modified, fetched_at, revision, \(Pictures.columns)
    FROM comic LEFT JOIN picture ON picture.number = comic.number
    """

  fileprivate static func comic(_ row: SQLRow) throws -> StoredComic {
    StoredComic(
      number: try row.number(0),
      raw: try row.bytes(1),
      validator: try row.validator(2),
      fetchedAt: try row.date(4),
      picture: row.isNull(6) ? nil : try Pictures.facts(row, from: 6),
      revision: Revision(try row.int(5))
    )
  }
}

extension SQLConnection {
  var comics: Comics { Comics(database: self) }
}

/// A counter whose row stays locked until the commit, so that changes become visible in the order of their numbers.
///
/// Lock `explanations` before `comics`.
enum Counter: String {
  case comics, explanations

  /// Locks the counter.
  /// - Returns: its value.
  func lock(in database: any SQLConnection) throws -> Int {
    try database.number(
      "SELECT value FROM counter WHERE name = $1 \(database.dialect.lockingRows)",
      .text(rawValue)
    )
  }

  /// Sets the counter, and notifies all nodes at the commit.
  ///
  /// A notification delays commits of the whole database server. Changes of comics and explanations are rare enough to
  /// send one; what readers save doesn't send any.
  func set(_ value: Int, in database: any SQLConnection) throws {
    try database.change(
      "UPDATE counter SET value = $2 WHERE name = $1 \(database.dialect.notifying)",
      .text(rawValue),
      .init(value)
    )
  }
}

/// Everything stored about a comic, except its picture.
public struct StoredComic: Hashable, Sendable {
  /// The comic's number.
  public let number: Comic.Number
  /// The record as the source sent it.
  public let raw: [UInt8]
  /// The validator for the next request.
  public let validator: StoredValidator
  /// When the source last sent or confirmed the record, to the second.
  public let fetchedAt: Date
  /// The picture's facts, if it was ever fetched; its file may have been cleared since.
  public let picture: PictureFacts?
  /// The revision of the last real change.
  public let revision: Revision
}

/// The source's validators for its answer (RFC 9110 section 8.8), verbatim.
public struct StoredValidator: Hashable, Sendable {
  /// The value of the `ETag` header.
  public var etag: String?
  /// The value of the `Last-Modified` header.
  public var lastModified: String?

  /// Makes a validator; without values it validates nothing.
  public init(etag: String? = nil, lastModified: String? = nil) {
    self.etag = etag
    self.lastModified = lastModified
  }
}

/// A comic's record from the source, to be stored.
public struct FetchedRecord: Hashable, Sendable {
  /// The comic that was requested.
  public var number: Comic.Number
  /// The bytes of the answer, at most 1 MiB.
  public var raw: [UInt8]
  /// The validator for the next request.
  public var validator: StoredValidator
  /// When the answer came.
  public var fetchedAt: Date
  /// When to fetch it again, or nil.
  public var lookAgain: Date?

  /// Makes a record.
  public init(
    number: Comic.Number,
    raw: [UInt8],
    validator: StoredValidator = StoredValidator(),
    fetchedAt: Date,
    lookAgain: Date? = nil
  ) {
    self.number = number
    self.raw = raw
    self.validator = validator
    self.fetchedAt = fetchedAt
    self.lookAgain = lookAgain
  }
}

/// Counts of saved records.
public struct SaveCounts: Hashable, Sendable {
  /// Comics that were not stored before.
  public var inserted: Int
  /// Comics whose stored record was different.
  public var changed: Int
  /// Comics whose record was stored already, byte for byte.
  public var unchanged: Int

  /// Makes counts.
  public init(inserted: Int = 0, changed: Int = 0, unchanged: Int = 0) {
    self.inserted = inserted
    self.changed = changed
    self.unchanged = unchanged
  }
}

/// A version of the stored comics; it increases when a record, a picture's facts or a wiki's transcript changes.
public struct Revision: Hashable, Comparable, Sendable {
  /// Greater after each change; changes that are stored together may share a value.
  public let value: Int

  /// Makes a revision from a stored number.
  public init(_ value: Int) {
    self.value = value
  }

  /// The revision of an empty store.
  public static var empty: Revision { Revision(0) }

  /// Orders by time.
  public static func < (left: Revision, right: Revision) -> Bool { left.value < right.value }
}

/// A comic that was added or changed, with its revision.
public struct StoredChange: Hashable, Sendable {
  /// The comic.
  public let number: Comic.Number
  /// The revision of its last real change.
  public let revision: Revision
}
