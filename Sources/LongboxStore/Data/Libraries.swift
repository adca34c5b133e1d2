// Longbox
// SPDX-License-Identifier: MIT

import Crypto
public import struct Foundation.Date
public import LongboxCore

/// The readers' libraries.
public struct LibraryStore: Sendable {
  let store: Store

  private var space: LibrarySpace { store.engine.librarySpace }

  /// The stored library with a name.
  /// - Throws: `damaged` if a row has a value that no version of Longbox writes. Nothing is changed then.
  public func library(_ name: LibraryName) async throws(StoreError) -> StoredLibrary {
    try await store.read { database in try database.libraries.library(name) }
  }

  /// Writes the changed registers of a reader's library, one row each.
  ///
  /// When this returns, the changes survive a kill of the process. A missing library is created.
  /// - Parameters:
  ///   - replica: the library with the changes.
  ///   - sequence: its sequence before them, 0 for a new one.
  ///   - name: its name.
  ///   - quota: the space that libraries may take.
  ///   - isSignedIn: whether its reader has signed in, so that no quota of new libraries applies, now and later.
  ///   - date: now.
  /// - Returns: whether the library is new, see ``LibraryQuota``.
  /// - Throws: `quota`; `conflict` if the stored sequence differs, or the library is gone. Nothing is changed then.
  @discardableResult
  public func save(
    _ replica: Replica,
    changedSince sequence: UInt64,
    as name: LibraryName,
    within quota: LibraryQuota = .unlimited,
    isSignedIn: Bool = false,
    at date: Date
  ) async throws(StoreError) -> Bool {
    let change = LibraryChange(
      replica: replica,
      sequence: sequence,
      name: name,
      isSignedIn: isSignedIn,
      date: date
    )
    guard sequence > 0 else {
      return try await store.write { [space] database in
        try database.libraries.lock([name])
        return try database.libraries.save(change, within: quota, of: space)
      }
    }
    return try await store.writeStatement { [space] database in
      try database.libraries.save(change, within: quota, of: space)
    }
  }

  /// Counts one more day without use for every library, and removes those over the limit; works at most once a day.
  ///
  /// A library with a subscription or a feed stays if it was used on two days. Feeds without a library are removed.
  /// - Parameters:
  ///   - idleDays: after how many days on which the server ran; 0 for never.
  ///   - unusedDays: the same for a library whose reader never came back; 0 for never.
  ///   - date: now.
  /// - Returns: the names of the removed libraries.
  public func expire(
    idleDays: Int,
    unusedDays: Int,
    at date: Date
  ) async throws(StoreError) -> [LibraryName] {
    try await store.write { database in
      // Changes no row if this node or another has already counted the day.
      let isNewDay =
        try database.change(
          """
          INSERT INTO library_expiry AS last (id, day) VALUES (1, $1)
          ON CONFLICT (id) DO UPDATE SET day = excluded.day WHERE last.day <> excluded.day
          """,
          .init(LibraryChange.day(of: date))
        ) > 0
      guard isNewDay else { return [] }
      try database.change("UPDATE library SET idle_days = idle_days + 1")
      let names = try database.rows(
        """
        DELETE FROM library WHERE idle_days > CASE WHEN is_established THEN $1 ELSE $2 END
          AND (changed_at / 86400 = created_on OR NOT (
            EXISTS (SELECT 1 FROM favorites_feed AS feed WHERE feed.library = library.name)
              OR EXISTS (SELECT 1 FROM subscription WHERE subscription.library = library.name)
              OR EXISTS (SELECT 1 FROM library_alias AS alias WHERE alias.home = library.name AND (
                EXISTS (SELECT 1 FROM favorites_feed AS feed WHERE feed.library = alias.name)
                  OR EXISTS (SELECT 1 FROM subscription WHERE subscription.library = alias.name)))))
        RETURNING name
        """,
        .init(idleDays > 0 ? idleDays : Int.max),
        .init(unusedDays > 0 ? unusedDays : Int.max)
      ) { row in LibraryName(bytes: try row.bytes(0)) }
      try database.change(
        "DELETE FROM library_alias WHERE NOT EXISTS (SELECT 1 FROM library WHERE library.name = home)"
      )
      try database.change(
        """
        DELETE FROM favorites_feed WHERE NOT EXISTS (SELECT 1 FROM library WHERE library.name = favorites_feed.library)
          AND NOT EXISTS (SELECT 1 FROM library_alias AS alias WHERE alias.name = favorites_feed.library)
        """
      )
      return names
    }
  }

  /// The library that one was paired with, or its own name.
  public func home(of name: LibraryName) async throws(StoreError) -> LibraryName {
    try await store.read { database in try database.libraries.home(of: name) ?? name }
  }

  /// Pairs a library with another in one transaction; both names then mean one library.
  ///
  /// The quota counts only what both libraries together grow by. The older one decides whether the result is new.
  /// - Parameters:
  ///   - name: the library that is merged into the other.
  ///   - left: that library as it was read; nil if there was none.
  ///   - home: the other library. It must not be paired itself, and may be new.
  ///   - replica: both libraries merged.
  ///   - sequence: the other library's sequence before, 0 for a new one.
  ///   - quota: the space that libraries may take.
  ///   - isSignedIn: as for `save`.
  ///   - date: now.
  /// - Returns: whether the library is new.
  /// - Throws: `quota`; `conflict` if one of them was changed or removed since it was read. Nothing is changed then.
  @discardableResult
  public func pair(
    _ name: LibraryName,
    holding left: Replica?,
    with home: LibraryName,
    merged replica: Replica,
    changedSince sequence: UInt64,
    within quota: LibraryQuota = .unlimited,
    isSignedIn: Bool = false,
    at date: Date
  ) async throws(StoreError) -> Bool {
    let change = LibraryChange(
      replica: replica,
      sequence: sequence,
      name: home,
      leaving: name,
      isSignedIn: isSignedIn,
      date: date
    )
    return try await store.write { [space] database in
      try database.libraries.lock([name, home])
      let isNew = try database.libraries.save(change, within: quota, of: space)
      try database.libraries.pair(name, holding: left, with: home, at: date)
      return isNew
    }
  }
}

/// What is stored under a library's name.
public enum StoredLibrary: Equatable, Sendable {
  /// Nothing.
  case none
  /// A library; its device is this copy's number in the sync protocol.
  case library(Replica)
  /// An alias: the library was paired with another.
  case paired(with: LibraryName)
}

/// The name of a reader's library in the database: the SHA-256 of the key in the reader's cookie.
///
/// The key itself is not stored, so a copy of the database opens no library.
public struct LibraryName: Hashable, Sendable {
  let bytes: [UInt8]

  /// The name of the library with a key.
  /// - Parameter key: the decoded cookie: 256 random bits.
  public init(key: [UInt8]) {
    bytes = Array(SHA256.hash(data: key))
  }

  init(bytes: [UInt8]) {
    self.bytes = bytes
  }
}

extension LibraryName: Comparable {
  /// Orders by bytes, so that two libraries are always locked in the same order.
  public static func < (left: LibraryName, right: LibraryName) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }
}

/// The rows of the libraries, within one read or one transaction.
///
/// Each register is a row, so a write touches only what changed. Both databases sort bytes in the order of keys.
struct Libraries {
  let database: any SQLConnection

  func library(_ name: LibraryName) throws -> StoredLibrary {
    var (home, head) = (nil as LibraryName?, nil as (device: UInt64, sequence: UInt64)?)
    var registers: [LibraryRegister] = []
    // One statement, which is one snapshot and one round trip.
    _ = try database.rows(
      """
      SELECT NULL AS home, library.device, library.sequence, register.key AS key, register.value, register.time,
        register.counter, register.device, register.sequence
      FROM library LEFT JOIN library_register AS register ON register.library = library.id
      WHERE library.name = $1
      UNION ALL
      SELECT home, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL FROM library_alias WHERE name = $1
      ORDER BY key
      """,
      .init(name)
    ) { row in
      home = try row.optionalBytes(0).map { LibraryName(bytes: $0) } ?? home
      if head == nil, !row.isNull(1) { head = (try row.bits(1), try row.bits(2)) }
      if !row.isNull(3) { registers.append(try Self.register(row, from: 3)) }
    }
    if let home { return .paired(with: home) }
    guard let head else { return .none }
    let library = try Self.library(registers, upTo: head.sequence)
    return .library(Replica(library: library, device: head.device))
  }

  static func library(_ registers: [LibraryRegister], upTo sequence: UInt64) throws -> Library {
    try checked { () throws(LibraryError) in
      try Library(entries: registers.map(\.entry), sequences: registers.map(\.sequence), sequence: sequence)
    }
  }

  /// The register in six columns.
  static func register(_ row: SQLRow, from column: Int) throws -> LibraryRegister {
    let timestamp = Timestamp(
      time: try row.bits(column + 2),
      counter: UInt32(clamping: try row.int64(column + 3)),
      device: try row.bits(column + 4)
    )
    let (key, value) = (Text(try row.bytes(column)), try row.optionalBytes(column + 1).map { Text($0) })
    let entry = try checked { () throws(LibraryError) in
      try LibraryEntry(key: LibraryKey(key), value: value, timestamp: timestamp)
    }
    return LibraryRegister(entry: entry, sequence: try row.bits(column + 5))
  }

  /// Converts the error for rows that no version of Longbox writes.
  static func checked<Value>(_ body: () throws(LibraryError) -> Value) throws -> Value {
    do { return try body() } catch { throw DamagedLibrary(reason: error.description) }
  }

  /// The library that one was paired with, or nil.
  func home(of name: LibraryName) throws -> LibraryName? {
    try database.first("SELECT home FROM library_alias WHERE name = $1", .init(name)) { row in
      LibraryName(bytes: try row.bytes(0))
    }
  }

  /// Keeps other nodes from making or pairing libraries with these names, and from saving their feeds, until the
  /// end of the transaction.
  ///
  /// Names are hashes, so eight bytes of each identify them well enough.
  func lock(_ names: [LibraryName]) throws {
    // Always in the same order, so two nodes can't deadlock.
    for name in names.sorted() {
      try database.lock(.integer(name.bytes.prefix(8).reduce(Int64(0)) { $0 << 8 | Int64($1) }))
    }
  }

  /// Removes a library, if it exists; its name and its aliases become aliases of another, without chains.
  /// - Parameter left: the library as it was read; nil if there was none.
  /// - Throws: `StoreError.conflict` if it was changed or removed since.
  func pair(_ name: LibraryName, holding left: Replica?, with home: LibraryName, at date: Date) throws {
    let removed = try database.first(
      "DELETE FROM library WHERE name = $1 RETURNING device, sequence",
      .init(name)
    ) { row in (device: try row.bits(0), sequence: try row.bits(1)) }
    guard removed?.device == left?.clock.device, removed?.sequence == left?.library.sequence else {
      throw StoreError.conflict
    }
    try database.change(
      "UPDATE library_alias SET home = $2, paired_at = $3 WHERE home = $1",
      .init(name),
      .init(home),
      .init(date)
    )
    let inserted = try database.change(
      "INSERT INTO library_alias (name, home, paired_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
      .init(name),
      .init(home),
      .init(date)
    )
    // Another node has paired this library with a third one.
    guard inserted == 1 else { throw StoreError.conflict }
  }

  func count() throws -> Int { try database.number("SELECT count(*) FROM library") }

  /// The bytes of all libraries.
  func byteCount() throws -> Int {
    try database.number("SELECT CAST(coalesce(sum(byte_count), 0) AS bigint) FROM library")
  }
}

extension SQLConnection {
  var libraries: Libraries { Libraries(database: self) }
}

/// A library's rows have values that no version of Longbox writes.
struct DamagedLibrary: Error {
  let reason: String
}
