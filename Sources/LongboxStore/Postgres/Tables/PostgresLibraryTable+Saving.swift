// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore

extension PostgresLibraryTable {
  /// Checks the quota, and writes a library's row and its changed registers, with one statement.
  ///
  /// `created_on` is the day on which the library is new; 0 if its reader has signed in, or if it is older than the column.
  /// The free space of the database's disk is unknown, so that part of the quota isn't checked.
  func save(_ change: LibraryChange, within quota: LibraryQuota) throws -> Bool {
    let replica = change.replica
    let size = replica.library.size
    let entries = replica.library.registers(writtenAfter: change.sequence)
    let room = try total.room(upTo: quota.allLibraries, reading: byteCount)
    let roomInUse = try total.room(upTo: quota.allLibrariesInUse, reading: byteCount)
    let row = try session.execute(
      change.sequence == 0 ? Self.making : Self.changing,
      .init(change.name),
      .integer(Int64(bitPattern: replica.clock.device)),
      .integer(Int64(bitPattern: replica.library.sequence)),
      .init(change.date),
      .init(change.day),
      .boolean(change.isSignedIn),
      .init(size),
      .integer(Int64(bitPattern: change.sequence)),
      .byteArrays(entries.map { Array($0.entry.key.text.bytes) }),
      .byteArrays(entries.map { $0.entry.value.map { Array($0.bytes) } }),
      .integers(entries.map { Int64($0.entry.timestamp.time) }),
      .integers(entries.map { Int64($0.entry.timestamp.counter) }),
      .integers(entries.map { Int64(bitPattern: $0.entry.timestamp.device) }),
      .integers(entries.map { Int64($0.sequence) }),
      .init(quota.newLibrary),
      .init(room),
      .init(roomInUse),
      .init(change.leaving ?? change.name)
    ).first
    guard let row, try row.bool(0) else { throw StoreError.conflict }
    let isNew = try row.bool(4)
    guard try row.bool(1) else {
      throw StoreError.quota(isNew && size > quota.newLibrary ? .newLibrary : .allLibraries)
    }
    guard try row.bool(2) else { throw StoreError.conflict }
    total.add(try row.int(3))
    return isNew
  }

  /// Inserts or updates, because another node may have created the library without changes.
  private static let making = sql(
    """
    INSERT INTO library AS old (name, device, sequence, changed_at, created_on, is_established, byte_count)
      SELECT $1, $2, $3, $4, created_on, is_established, $7 FROM quota
        WHERE is_met AND NOT EXISTS (SELECT FROM library_alias WHERE name = $1)
    ON CONFLICT (name) DO UPDATE SET sequence = excluded.sequence, changed_at = excluded.changed_at,
      created_on = least(old.created_on, excluded.created_on),
      is_established = old.is_established OR excluded.is_established,
      byte_count = excluded.byte_count, idle_days = 0
      WHERE old.sequence = $8 AND old.device = excluded.device
    RETURNING id
    """
  )

  /// Updates only: if another node has removed or paired the library, a new row would have only these changes.
  private static let changing = sql(
    """
    UPDATE library SET sequence = $3, changed_at = $4, created_on = least(library.created_on, quota.created_on),
      is_established = library.is_established OR quota.is_established, byte_count = $7, idle_days = 0
    FROM quota WHERE is_met AND name = $1 AND device = $2 AND sequence = $8
    RETURNING id
    """
  )

  /// The whole statement; `before` is the library as the statement finds it, together with the one that is merged into it.
  private static func sql(_ head: String) -> String {
    """
    WITH before AS (
      SELECT coalesce(max(sequence) FILTER (WHERE name = $1), 0) AS sequence,
        coalesce(sum(byte_count), 0)::bigint AS byte_count,
        CASE WHEN $6 THEN 0 ELSE coalesce(min(created_on), $5) END AS created_on
      FROM library WHERE name IN ($1, $18)
    ),
    known AS (
      SELECT byte_count, created_on, created_on <> $5 AS is_established FROM before
    ),
    quota AS (
      SELECT created_on, is_established, $7 <= byte_count OR ((is_established OR $7 <= $15)
        AND $7 - byte_count <= CASE created_on WHEN $5 THEN $16 ELSE $17 END) AS is_met FROM known
    ),
    head AS (
      \(head)
    ),
    registers AS (
      INSERT INTO library_register (library, key, value, time, counter, device, sequence)
        SELECT head.id, new.* FROM head, unnest($9::bytea[], $10::bytea[], $11::bigint[], $12::bigint[],
          $13::bigint[], $14::bigint[]) AS new
      ON CONFLICT (library, key) DO UPDATE SET value = excluded.value, time = excluded.time,
        counter = excluded.counter, device = excluded.device, sequence = excluded.sequence
    )
    SELECT before.sequence = $8, quota.is_met, EXISTS (SELECT FROM head), $7 - before.byte_count, NOT quota.is_established
      FROM before, quota
    """
  }
}
