// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore

extension PostgresLibraryTable {
  /// Writes a library's row and its changed registers with one statement, if the row has the expected sequence.
  ///
  /// The row stays locked until the commit. A new library takes the advisory lock of its name, so no other node can pair
  /// the name at the same time. The free space of the database's disk is unknown, so that part of the quota isn't checked.
  func save(_ change: LibraryChange, within quota: LibraryQuota) throws {
    let replica = change.replica
    let entries = replica.library.registers(writtenAfter: change.sequence)
    let isNew = change.sequence == 0
    if isNew { try lock([change.name]) }
    let row = try session.execute(
      isNew ? Self.making : Self.changing,
      .init(change.name),
      .integer(Int64(bitPattern: replica.clock.device)),
      .integer(Int64(bitPattern: replica.library.sequence)),
      .init(change.date),
      .init(change.day),
      .boolean(change.isTrusted),
      .init(replica.library.size),
      .integer(Int64(bitPattern: change.sequence)),
      .byteArrays(entries.map { Array($0.entry.key.text.bytes) }),
      .byteArrays(entries.map { $0.entry.value.map { Array($0.bytes) } }),
      .integers(entries.map { Int64($0.entry.timestamp.time) }),
      .integers(entries.map { Int64($0.entry.timestamp.counter) }),
      .integers(entries.map { Int64(bitPattern: $0.entry.timestamp.device) }),
      .integers(entries.map { Int64($0.sequence) })
    ).first
    guard let row else { throw StoreError.changedMeanwhile }
    let createdOn = try row.optionalInt(0) ?? 0
    let wasEstablished = row.isNull(1) ? false : try row.bool(1)
    let isFirstDay = createdOn == 0 || createdOn == change.day
    guard !change.isTrusted, !wasEstablished, isFirstDay else { return }
    try check(replica.library.size, before: try row.optionalInt(2) ?? 0, quota)
  }

  /// Inserts or updates, because another node may have created the library without changes.
  private static let making = sql(
    """
    INSERT INTO library AS old (name, device, sequence, changed_at, created_on, is_established, byte_count)
      SELECT $1, $2, $3, $4, $5, $6, $7 WHERE NOT EXISTS (SELECT FROM library_alias WHERE name = $1)
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
    WHERE name = $1 AND device = $2 AND sequence = $8
    RETURNING id
    """
  )

  private static func sql(_ head: String) -> String {
    """
    WITH before AS (SELECT created_on, is_established, byte_count FROM library WHERE name = $1),
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
    SELECT before.created_on, before.is_established, before.byte_count FROM head LEFT JOIN before ON true
    """
  }

  private func check(_ size: Int, before: Int, _ quota: LibraryQuota) throws {
    guard size > before else { return }
    if size > quota.newLibrary { throw StoreError.quota(.newLibrary) }
    guard quota.allLibraries < .max else { return }
    // The sum already contains the new size of this library.
    try total.grow(by: size - before, upTo: quota.allLibraries) { try byteCount() }
  }
}
