// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// A library as a node has read it.
struct KnownLibrary: Sendable {
  let name: LibraryName
  let replica: Replica
}

extension PostgresLibraryTable {
  /// Reads what is newer in libraries, and resolves pairings, with one statement.
  ///
  /// A library gets a random device number when it is created, so the same number means the same library.
  /// - Returns: for each library its update, or the error for a value that no version of Longbox writes.
  static func updates(
    of libraries: [KnownLibrary],
    in session: PostgresSession
  ) throws -> [Result<LibraryUpdate, any Error>] {
    // OFFSET 0 keeps the planner from reading all registers for a long list of names.
    let rows = try session.execute(
      """
      SELECT coalesce(alias.home, known.name), library.device, library.sequence, register.key, register.value,
        register.time, register.counter, register.device, register.sequence, known.place
      FROM unnest($1::bytea[], $2::bigint[], $3::bigint[]) WITH ORDINALITY AS known (name, device, sequence, place)
      LEFT JOIN library_alias AS alias ON alias.name = known.name
      LEFT JOIN library ON library.name = coalesce(alias.home, known.name)
      LEFT JOIN LATERAL (
        SELECT * FROM library_register WHERE library_register.library = library.id AND library_register.sequence
          > CASE WHEN library.device = known.device AND library.sequence >= known.sequence THEN known.sequence ELSE -1 END
        OFFSET 0
      ) AS register ON true
      ORDER BY known.place, register.key
      """,
      .byteArrays(libraries.map(\.name.bytes)),
      .integers(libraries.map { Int64(bitPattern: $0.replica.clock.device) }),
      .integers(libraries.map { Int64(bitPattern: $0.replica.library.sequence) })
    )
    var rowsByPlace = [[PostgresRow]](repeating: [], count: libraries.count)
    for row in rows.map({ $0 }) {
      let index = try row.int(9) - 1
      guard rowsByPlace.indices.contains(index) else { throw row.unexpected(9) }
      rowsByPlace[index].append(row)
    }
    return zip(libraries, rowsByPlace).map { library, rows in
      Result { try update(since: library.replica, rows) }
    }
  }

  private static func update(since known: Replica, _ rows: [PostgresRow]) throws -> LibraryUpdate {
    guard let first = rows.first, let number = try first.optionalInt64(1) else { return .gone }
    let home = LibraryName(bytes: try first.bytes(0))
    let (device, sequence) = (UInt64(bitPattern: number), UInt64(bitPattern: try first.int64(2)))
    guard device == known.clock.device, sequence >= known.library.sequence else {
      return .changed(Replica(library: try library(rows, upTo: sequence), device: device), home: home)
    }
    guard sequence > known.library.sequence else { return .unchanged }
    let newer = try registers(rows)
    return try checked { () throws(LibraryError) in
      var replica = known
      try replica.library.take(newer, upTo: sequence)
      return .changed(replica, home: home)
    }
  }
}
