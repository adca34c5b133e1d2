// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore

extension PostgresComicTable {
  /// Stores any number of records with at most six statements.
  func save(_ records: [FetchedRecord]) throws -> SaveCounts {
    guard !records.isEmpty else { return SaveCounts() }
    let revision = try PostgresCounter.comics.lock(in: session) + 1
    var stored = try self.stored(records.map(\.number))
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
    // If a comic has two records, the later one is stored.
    let last = Dictionary(records.map { ($0.number, $0) }) { $1 }.values
    try put(last.filter { changed.contains($0.number) }, revision: revision)
    try confirm(last.filter { !changed.contains($0.number) })
    try PostgresFetchTable(session: session)
      .noteFetched(.record, last.map { (number: $0.number, lookAgain: $0.lookAgain) })
    if !changed.isEmpty { try PostgresCounter.comics.set(revision, in: session) }
    return counts
  }

  private func stored(_ numbers: [Comic.Number]) throws -> [Comic.Number: [UInt8]] {
    let rows = try session.execute("SELECT number, raw FROM comic WHERE number = ANY($1)", .init(numbers))
    return try Dictionary(rows.map { (try $0.number(0), try $0.bytes(1)) }) { $1 }
  }

  private func put(_ records: [FetchedRecord], revision: Int) throws {
    guard !records.isEmpty else { return }
    try session.execute(
      """
      INSERT INTO comic (number, raw, etag, last_modified, fetched_at, revision)
        SELECT *, $6 FROM unnest($1::bigint[], $2::bytea[], $3::text[], $4::text[], $5::bigint[])
      ON CONFLICT (number) DO UPDATE SET raw = excluded.raw, etag = excluded.etag,
        last_modified = excluded.last_modified, fetched_at = excluded.fetched_at, revision = excluded.revision
      """,
      .init(records.map(\.number)),
      .byteArrays(records.map(\.raw)),
      .texts(records.map(\.validator.etag)),
      .texts(records.map(\.validator.lastModified)),
      .integers(records.map(\.fetchedAt.seconds)),
      .init(revision)
    )
  }

  private func confirm(_ records: [FetchedRecord]) throws {
    guard !records.isEmpty else { return }
    try session.execute(
      """
      UPDATE comic SET etag = new.etag, last_modified = new.last_modified, fetched_at = new.fetched_at
      FROM unnest($1::bigint[], $2::text[], $3::text[], $4::bigint[])
        AS new (number, etag, last_modified, fetched_at)
      WHERE comic.number = new.number
      """,
      .init(records.map(\.number)),
      .texts(records.map(\.validator.etag)),
      .texts(records.map(\.validator.lastModified)),
      .integers(records.map(\.fetchedAt.seconds))
    )
  }
}
