// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore

struct PostgresLibraryTable: LibraryTable {
  let session: PostgresSession
  let total: LibraryTotal

  /// Reads a library with one statement, which is one snapshot.
  func library(_ name: LibraryName) throws -> StoredLibrary {
    let rows = try session.execute(
      """
      SELECT alias.home, library.device, library.sequence, register.key, register.value, register.time,
        register.counter, register.device, register.sequence
      FROM (SELECT $1::bytea AS name) AS wanted
      LEFT JOIN library_alias AS alias USING (name)
      LEFT JOIN library ON library.name = wanted.name AND alias.home IS NULL
      LEFT JOIN library_register AS register ON register.library = library.id
      ORDER BY register.key
      """,
      .init(name)
    )
    guard let first = rows.first else { return .none }
    if let home = try first.optionalBytes(0) { return .paired(with: LibraryName(bytes: home)) }
    guard let device = try first.optionalInt64(1) else { return .none }
    let sequence = UInt64(bitPattern: try first.int64(2))
    let library = try Self.library(rows.map { $0 }, upTo: sequence)
    return .library(Replica(library: library, device: UInt64(bitPattern: device)))
  }

  static func library(_ rows: [PostgresRow], upTo sequence: UInt64) throws -> Library {
    let registers = try registers(rows)
    return try checked { () throws(LibraryError) in
      try Library(entries: registers.map(\.entry), sequences: registers.map(\.sequence), sequence: sequence)
    }
  }

  /// The registers in the columns from the fourth on.
  static func registers(_ rows: [PostgresRow]) throws -> [LibraryRegister] {
    var registers: [LibraryRegister] = []
    registers.reserveCapacity(rows.count)
    for row in rows {
      guard let key = try row.optionalBytes(3) else { break }
      let timestamp = Timestamp(
        time: UInt64(bitPattern: try row.int64(5)),
        counter: UInt32(clamping: try row.int64(6)),
        device: UInt64(bitPattern: try row.int64(7))
      )
      let value = try row.optionalBytes(4).map { Text($0) }
      let entry = try checked { () throws(LibraryError) in
        try LibraryEntry(key: LibraryKey(Text(key)), value: value, timestamp: timestamp)
      }
      registers.append(LibraryRegister(entry: entry, sequence: UInt64(bitPattern: try row.int64(8))))
    }
    return registers
  }

  /// Converts the error for rows that no version of Longbox writes.
  static func checked<Value>(_ body: () throws(LibraryError) -> Value) throws -> Value {
    do { return try body() } catch { throw PostgresError(.unexpectedValue, error.description) }
  }

  func home(of name: LibraryName) throws -> LibraryName? {
    try session.execute("SELECT home FROM library_alias WHERE name = $1", .init(name)).first
      .map { LibraryName(bytes: try $0.bytes(0)) }
  }

  /// Takes advisory locks, always in the same order.
  ///
  /// Names are hashes, so eight bytes of each identify them well enough.
  func lock(_ names: [LibraryName]) throws {
    for name in names.sorted() {
      let key = name.bytes.prefix(8).reduce(Int64(0)) { $0 << 8 | Int64($1) }
      try session.execute("SELECT pg_advisory_xact_lock($1)", .integer(key))
    }
  }

  func pair(_ name: LibraryName, holding left: Replica?, with home: LibraryName, at date: Date) throws {
    let removed = try session.execute(
      "DELETE FROM library WHERE name = $1 RETURNING device, sequence",
      .init(name)
    ).first
    let isSame =
      try removed.map { row in
        let version = (UInt64(bitPattern: try row.int64(0)), UInt64(bitPattern: try row.int64(1)))
        return left.map { version == ($0.clock.device, $0.library.sequence) } ?? false
      } ?? (left == nil)
    guard isSame else { throw StoreError.conflict }
    try session.execute(
      "UPDATE library_alias SET home = $2, paired_at = $3 WHERE home = $1",
      .init(name),
      .init(home),
      .init(date)
    )
    let inserted = try session.execute(
      "INSERT INTO library_alias (name, home, paired_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
      .init(name),
      .init(home),
      .init(date)
    )
    // Another node has paired this library with a third one.
    guard inserted.changed == 1 else { throw StoreError.conflict }
  }

  func count() throws -> Int {
    try session.execute("SELECT count(*) FROM library").first?.int(0) ?? 0
  }

  func byteCount() throws -> Int {
    try session.execute("SELECT coalesce(sum(byte_count), 0)::bigint FROM library").first?.int(0) ?? 0
  }

  func expire(idleDays: Int, unusedDays: Int, at date: Date) throws -> [LibraryName] {
    // Changes no row if this node or another has already counted the day.
    let isNewDay =
      try session.execute(
        """
        INSERT INTO library_expiry AS last (id, day) VALUES (1, $1)
        ON CONFLICT (id) DO UPDATE SET day = excluded.day WHERE last.day <> excluded.day
        """,
        .init(LibraryChange.day(of: date))
      ).changed > 0
    guard isNewDay else { return [] }
    try session.execute("UPDATE library SET idle_days = idle_days + 1")
    let rows = try session.execute(
      """
      DELETE FROM library WHERE idle_days > CASE WHEN is_established THEN $1 ELSE $2 END
        AND (changed_at / 86400 = created_on OR NOT (
          EXISTS (SELECT FROM favorites_feed AS feed WHERE feed.library = library.name)
            OR EXISTS (SELECT FROM subscription WHERE subscription.library = library.name)
            OR EXISTS (SELECT FROM library_alias AS alias WHERE alias.home = library.name AND (
              EXISTS (SELECT FROM favorites_feed AS feed WHERE feed.library = alias.name)
                OR EXISTS (SELECT FROM subscription WHERE subscription.library = alias.name)))))
      RETURNING name
      """,
      .init(idleDays > 0 ? idleDays : Int.max),
      .init(unusedDays > 0 ? unusedDays : Int.max)
    )
    let names = try rows.map { LibraryName(bytes: try $0.bytes(0)) }
    try session.execute(
      "DELETE FROM library_alias WHERE NOT EXISTS (SELECT FROM library WHERE library.name = home)"
    )
    try session.execute(
      """
      DELETE FROM favorites_feed AS feed WHERE NOT EXISTS (SELECT FROM library WHERE library.name = feed.library)
        AND NOT EXISTS (SELECT FROM library_alias AS alias WHERE alias.name = feed.library)
      """
    )
    return names
  }
}
