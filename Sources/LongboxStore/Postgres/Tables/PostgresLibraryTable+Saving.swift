// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore

extension PostgresLibraryTable {
  /// Checks the quota, and writes a library's row and its changed registers, with one statement.
  ///
  /// The free space of the database's disk is unknown, so that part of the quota isn't checked.
  func save(_ change: LibraryChange, within quota: LibraryQuota) throws {
    let replica = change.replica
    let size = replica.library.size
    let entries = replica.library.registers(writtenAfter: change.sequence)
    let room = try total.room(upTo: quota.allLibraries) { try byteCount() }
    let row = try session.execute(
      change.sequence == 0 ? Self.making : Self.changing,
      .init(change.name),
      .integer(Int64(bitPattern: replica.clock.device)),
      .integer(Int64(bitPattern: replica.library.sequence)),
      .init(change.date),
      .init(change.day),
      .boolean(change.isTrusted),
      .init(size),
      .integer(Int64(bitPattern: change.sequence)),
      .byteArrays(entries.map { Array($0.entry.key.text.bytes) }),
      .byteArrays(entries.map { $0.entry.value.map { Array($0.bytes) } }),
      .integers(entries.map { Int64($0.entry.timestamp.time) }),
      .integers(entries.map { Int64($0.entry.timestamp.counter) }),
      .integers(entries.map { Int64(bitPattern: $0.entry.timestamp.device) }),
      .integers(entries.map { Int64($0.sequence) }),
      .init(quota.newLibrary),
      .init(room)
    ).first
    guard let row, try row.bool(0) else { throw StoreError.conflict }
    guard try row.bool(1) else {
      throw StoreError.quota(size > quota.newLibrary ? .newLibrary : .allLibraries)
    }
    guard try row.bool(2) else { throw StoreError.conflict }
    total.add(try row.int(3))
  }

  /// Inserts or updates, because another node may have created the library without changes.
  private static let making = sql(
    """
    INSERT INTO library AS old (name, device, sequence, changed_at, created_on, is_established, byte_count)
      SELECT $1, $2, $3, $4, $5, $6, $7 FROM quota
        WHERE is_met AND NOT EXISTS (SELECT FROM library_alias WHERE name = $1)
    ON CONFLICT (name) DO UPDATE SET sequence = excluded.sequence, changed_at = excluded.changed_at,
      created_on = CASE old.created_on WHEN 0 THEN excluded.created_on ELSE old.created_on END,
      is_established = old.is_established OR excluded.is_established
        OR old.created_on NOT IN (0, excluded.created_on),
      byte_count = excluded.byte_count, idle_days = 0
      WHERE old.sequence = $8 AND old.device = excluded.device
    RETURNING id
    """
  )

  /// Updates only: if another node has removed or paired the library, a new row would have only these changes.
  private static let changing = sql(
    """
    UPDATE library SET sequence = $3, changed_at = $4, created_on = CASE created_on WHEN 0 THEN $5 ELSE created_on END,
      is_established = is_established OR $6 OR created_on NOT IN (0, $5), byte_count = $7, idle_days = 0
    FROM quota WHERE is_met AND name = $1 AND device = $2 AND sequence = $8
    RETURNING id
    """
  )

  /// The whole statement; `before` is the library's row as the statement finds it, or NULL.
  private static func sql(_ head: String) -> String {
    """
    WITH before AS (
      SELECT coalesce(sequence, 0) AS sequence, coalesce(byte_count, 0) AS byte_count,
        $6 OR coalesce(is_established OR created_on NOT IN (0, $5), false) AS is_established
      FROM (SELECT) AS once LEFT JOIN library ON name = $1
    ),
    quota AS (
      SELECT is_established OR $7 <= byte_count OR ($7 <= $15 AND $7 - byte_count <= $16) AS is_met FROM before
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
    SELECT before.sequence = $8, quota.is_met, EXISTS (SELECT FROM head), $7 - before.byte_count FROM before, quota
    """
  }
}
