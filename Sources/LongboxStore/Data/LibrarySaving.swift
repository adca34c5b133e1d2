// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore
import Synchronization

/// The disk space that libraries may take.
///
/// A library is new on the day on which it was made, unless its reader is signed in. Pairing doesn't change that, because
/// a stranger can pair two libraries of their own. So a stranger who makes many libraries
/// at once gets little space, and readers who stay hardly notice the limits.
public struct LibraryQuota: Hashable, Sendable {
  /// What a change would exceed.
  public enum Violation: Hashable, Sendable {
    /// The size of a new library.
    case newLibrary
    /// The size of all libraries together.
    case allLibraries
    /// The free space that is left on the disk for readers who have used their library before.
    case freeSpace
  }

  /// The maximum size of a new library, in bytes.
  public var newLibrary: Int
  /// The size of all libraries, in bytes, above which new ones may not grow; at twice this size, none may.
  public var allLibraries: Int
  /// The free space on the disk, in bytes, below which new libraries may not grow.
  public var freeSpace: Int

  /// Makes a quota.
  public init(newLibrary: Int, allLibraries: Int, freeSpace: Int) {
    self.newLibrary = newLibrary
    self.allLibraries = allLibraries
    self.freeSpace = freeSpace
  }

  /// The size of all libraries, in bytes, above which none may grow.
  var allLibrariesInUse: Int { allLibraries > Int.max / 2 ? .max : 2 * allLibraries }

  /// No limits but those of each library.
  public static let unlimited = LibraryQuota(newLibrary: .max, allLibraries: .max, freeSpace: 0)
}

/// Changes of a library that are to be stored.
struct LibraryChange: Sendable {
  /// The library with the changes.
  let replica: Replica
  /// Its sequence before them, 0 for a new one.
  let sequence: UInt64
  let name: LibraryName
  /// The library that is merged into it and then removed, if any.
  var leaving: LibraryName?
  /// Whether its reader has signed in, so that no quota of new libraries applies, now and later.
  let isSignedIn: Bool
  let date: Date

  /// Days since 1970-01-01 UTC.
  var day: Int { Self.day(of: date) }

  static func day(of date: Date) -> Int { Int(date.seconds / 86_400) }
}

extension Libraries {
  /// Checks the quota, and writes a library's row and its changed registers; creates the library if needed.
  ///
  /// `created_on` is the day on which the library is new; 0 if its reader has signed in, or if it is older than the column.
  /// - Returns: whether the library is new, see ``LibraryQuota``.
  /// - Throws: `StoreError.quota`; `StoreError.conflict` if the stored sequence differs, or the library is gone.
  func save(_ change: LibraryChange, within quota: LibraryQuota, of space: LibrarySpace) throws -> Bool {
    let (replica, size) = (change.replica, change.replica.library.size)
    let entries = replica.library.registers(writtenAfter: change.sequence)
    let hasFreeSpace = quota.freeSpace <= 0 || (space.free() ?? .max) >= quota.freeSpace
    let values: [SQLValue] = [
      .init(change.name),
      .init(bits: replica.clock.device),
      .init(bits: replica.library.sequence),
      .init(change.date),
      .init(change.day),
      .boolean(change.isSignedIn),
      .init(size),
      .init(bits: change.sequence),
      .init(quota.newLibrary),
      .init(try space.room(upTo: quota.allLibraries, reading: byteCount)),
      .init(try space.room(upTo: quota.allLibrariesInUse, reading: byteCount)),
      .init(change.leaving ?? change.name),
      .boolean(hasFreeSpace),
    ]
    let head = change.sequence == 0 ? Self.making : Self.changing
    let outcome =
      database.dialect.hasChangingQueries
      ? try writeTogether(head, values, entries) : try writeApart(head, values, entries)
    guard let outcome, outcome.isUnchanged else { throw StoreError.conflict }
    guard outcome.isWithinQuota else {
      guard outcome.isNew, size > quota.newLibrary || !hasFreeSpace else {
        throw StoreError.quota(.allLibraries)
      }
      throw StoreError.quota(size > quota.newLibrary ? .newLibrary : .freeSpace)
    }
    guard outcome.isWritten else { throw StoreError.conflict }
    space.add(outcome.growth)
    return outcome.isNew
  }

  private struct Outcome {
    /// Whether the stored sequence is the expected one.
    let isUnchanged: Bool
    let isWithinQuota: Bool
    let isWritten: Bool
    /// In bytes.
    let growth: Int
    let isNew: Bool

    init(_ row: SQLRow) throws {
      isUnchanged = try row.bool(0)
      isWithinQuota = try row.bool(1)
      isWritten = try row.bool(2)
      growth = try row.int(3)
      isNew = try row.bool(4)
    }
  }

  /// Writes with one statement, which saves the round trips of a transaction.
  private func writeTogether(
    _ head: String,
    _ values: [SQLValue],
    _ registers: [LibraryRegister]
  ) throws -> Outcome? {
    try database.rows(
      """
      \(Self.quota), head AS (\(head)), registers AS (
        INSERT INTO library_register (library, key, value, time, counter, device, sequence)
          SELECT head.id, new.* FROM head, unnest($14::bytea[], $15::bytea[], $16::bigint[], $17::bigint[],
            $18::bigint[], $19::bigint[]) AS new
        \(Self.replacingRegister)
      )
      \(Self.outcome("EXISTS (SELECT FROM head)"))
      """,
      values + [
        .byteArrays(registers.map { Array($0.entry.key.text.bytes) }),
        .byteArrays(registers.map { $0.entry.value.map { Array($0.bytes) } }),
        .integers(registers.map { Int64($0.entry.timestamp.time) }),
        .integers(registers.map { Int64($0.entry.timestamp.counter) }),
        .integers(registers.map { Int64(bitPattern: $0.entry.timestamp.device) }),
        .integers(registers.map { Int64($0.sequence) }),
      ]
    ) { row in try Outcome(row) }.first
  }

  /// Writes with a statement for each step.
  private func writeApart(
    _ head: String,
    _ values: [SQLValue],
    _ registers: [LibraryRegister]
  ) throws -> Outcome? {
    let outcome = try database.rows("\(Self.quota) \(Self.outcome("true"))", values) { row in try Outcome(row)
    }.first
    guard let outcome, outcome.isUnchanged, outcome.isWithinQuota else { return outcome }
    let id = try database.rows("\(Self.quota) \(head)", values) { row in try row.int64(0) }.first
    guard let id else { return nil }
    try database.change(
      """
      INSERT INTO library_register (library, key, value, time, counter, device, sequence)
        VALUES ($1, $2, $3, $4, $5, $6, $7)
      \(Self.replacingRegister)
      """,
      each: registers.map { register in
        let entry = register.entry
        return [
          .integer(id), .bytes(Array(entry.key.text.bytes)), .init(entry.value.map { Array($0.bytes) }),
          .integer(Int64(entry.timestamp.time)), .integer(Int64(entry.timestamp.counter)),
          .init(bits: entry.timestamp.device), .integer(Int64(register.sequence)),
        ]
      }
    )
    return outcome
  }

  /// `before` is the library as the statement finds it, together with the one that is merged into it.
  private static let quota = """
    WITH before AS (
      SELECT coalesce(max(sequence) FILTER (WHERE name = $1), 0) AS sequence,
        CAST(coalesce(sum(byte_count), 0) AS bigint) AS byte_count,
        CASE WHEN $6 THEN 0 ELSE coalesce(min(created_on), $5) END AS created_on
      FROM library WHERE name IN ($1, $12)
    ),
    known AS (
      SELECT sequence, byte_count, created_on, created_on <> $5 AS is_established FROM before
    ),
    quota AS (
      SELECT sequence, byte_count, created_on, is_established,
        $7 <= byte_count OR ((is_established OR ($7 <= $9 AND $13))
          AND $7 - byte_count <= CASE created_on WHEN $5 THEN $10 ELSE $11 END) AS is_met
      FROM known
    )
    """

  /// Inserts or updates, because another node may have created the library without changes.
  private static let making = """
    INSERT INTO library AS old (name, device, sequence, changed_at, created_on, is_established, byte_count)
      SELECT $1, $2, $3, $4, created_on, is_established, $7 FROM quota
        WHERE is_met AND NOT EXISTS (SELECT 1 FROM library_alias WHERE name = $1)
    ON CONFLICT (name) DO UPDATE SET sequence = excluded.sequence, changed_at = excluded.changed_at,
      created_on = CASE WHEN old.created_on < excluded.created_on THEN old.created_on ELSE excluded.created_on END,
      is_established = old.is_established OR excluded.is_established,
      byte_count = excluded.byte_count, idle_days = 0
      WHERE old.sequence = $8 AND old.device = excluded.device
    RETURNING id
    """

  /// Updates only: if another node has removed or paired the library, a new row would have only these changes.
  private static let changing = """
    UPDATE library SET sequence = $3, changed_at = $4, byte_count = $7, idle_days = 0,
      created_on = CASE WHEN library.created_on < quota.created_on THEN library.created_on ELSE quota.created_on END,
      is_established = library.is_established OR quota.is_established
    FROM quota WHERE is_met AND library.name = $1 AND library.device = $2 AND library.sequence = $8
    RETURNING id
    """

  private static let replacingRegister = """
    ON CONFLICT (library, key) DO UPDATE SET value = excluded.value, time = excluded.time,
      counter = excluded.counter, device = excluded.device, sequence = excluded.sequence
    """

  private static func outcome(_ isWritten: String) -> String {
    "SELECT sequence = $8, is_met, \(isWritten), $7 - byte_count, NOT is_established FROM quota"
  }
}

/// The space that libraries take and may take, as this process knows it.
///
/// Adding up many rows is slow, so a sum is used for ten seconds. This process's own changes are added to it; what was
/// removed, and what other nodes have changed, is missing until the sum is read again. A change that is rolled back stays
/// counted until then.
final class LibrarySpace: Sendable {
  private struct Sum {
    var bytes: Int
    let readAt: ContinuousClock.Instant
  }

  /// How long a sum is used.
  private static let lifetime = Duration.seconds(10)
  private let sum = Mutex<Sum?>(nil)
  /// The data folder, if its disk has the libraries; nil with PostgreSQL, whose disk is unknown.
  private let folder: URL?

  init(on folder: URL? = nil) {
    self.folder = folder
  }

  /// The bytes that the disk has left for this user; nil if that is unknown.
  func free() -> Int? {
    var status = statvfs()
    guard let folder, statvfs(folder.path, &status) == 0 else { return nil }
    return Int(clamping: UInt64(status.f_bavail).multipliedWithinRange(by: UInt64(status.f_frsize)))
  }

  /// How much libraries may grow, in bytes; negative if they are larger than the limit.
  /// - Parameters:
  ///   - limit: the largest size of all libraries.
  ///   - read: reads the sum.
  func room(upTo limit: Int, reading read: () throws -> Int) rethrows -> Int {
    guard limit < .max else { return .max }
    let known = sum.withLock { sum in
      sum.flatMap { ContinuousClock.now - $0.readAt < Self.lifetime ? $0.bytes : nil }
    }
    if let known { return limit - known }
    let bytes = try read()
    sum.withLock { $0 = Sum(bytes: bytes, readAt: .now) }
    return limit - bytes
  }

  /// Adds what a library has grown by; negative if it has shrunk.
  func add(_ growth: Int) {
    sum.withLock { $0 = $0.map { Sum(bytes: $0.bytes.addingWithinRange(growth), readAt: $0.readAt) } }
  }
}
