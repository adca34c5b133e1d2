// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore
import Synchronization

extension SharedStore {
  /// What other nodes have changed in a library since this node read it.
  /// - Parameters:
  ///   - name: a name of the library.
  ///   - known: the library as this node read it.
  ///   - limit: how long the database may take. A call may take longer, because it shares statements with other calls,
  ///     so a caller with a strict limit needs its own timeout.
  /// - Throws: `unreachable` after that time; `damaged` if a row has a value that no version of Longbox writes.
  public func libraryUpdate(
    of name: LibraryName,
    since known: Replica,
    within limit: Duration
  ) async throws(StoreError) -> LibraryUpdate {
    do {
      return try await engine.libraryUpdates.update(of: name, since: known, within: limit)
    } catch {
      throw engine.storeError(error)
    }
  }
}

/// What has changed in a library since a node has read it.
public enum LibraryUpdate: Equatable, Sendable {
  /// Nothing.
  case unchanged
  /// There is no library any more.
  case gone
  /// The newest library, and the name under which it is stored, which may differ after a pairing.
  case changed(Replica, home: LibraryName)
}

/// Asks the database for the updates of many libraries with one statement.
///
/// Each page of a reader with a library asks for one. Waking the threads of a statement costs more than the statement, so
/// calls that come while statements are under way share the next one. A call that comes alone doesn't wait.
final class LibraryUpdateBatcher: Sendable {
  typealias Read = @Sendable ([KnownLibrary], Duration) async throws -> [Result<LibraryUpdate, any Error>]

  private struct Call {
    let library: KnownLibrary
    let deadline: ContinuousClock.Instant
    let continuation: CheckedContinuation<LibraryUpdate, any Error>
  }

  private struct State {
    var waiting: [Call] = []
    var running = 0
  }

  /// Two, so that one slow answer doesn't hold up all readers.
  private static let statements = 2
  /// Bounds what one answer can hold.
  private static let librariesInStatement = 32
  private let read: Read
  private let state = Mutex(State())

  /// - Parameter read: runs the statement within a time.
  init(read: @escaping Read) {
    self.read = read
  }

  /// What other nodes have changed in a library since this node read it.
  /// - Parameter limit: how long the database may take. A call may wait longer, because it shares a statement
  ///   with calls that have more time, and waits for the statements before.
  /// - Throws: `PostgresError`.
  func update(of name: LibraryName, since known: Replica, within limit: Duration) async throws
    -> LibraryUpdate
  {
    try await withCheckedThrowingContinuation { continuation in
      let call = Call(
        library: KnownLibrary(name: name, replica: known),
        deadline: .now + limit,
        continuation: continuation
      )
      let isStarting = state.withLock { state in
        state.waiting.append(call)
        guard state.running < Self.statements else { return false }
        state.running += 1
        return true
      }
      // Detached, because the statement is for other callers, too.
      if isStarting { Task.detached { await self.run() } }
    }
  }

  /// Runs statements as long as calls wait.
  private func run() async {
    while let calls = next() {
      let now = ContinuousClock.now
      for call in calls where call.deadline <= now {
        call.continuation.resume(throwing: PostgresError(.timedOut, "the statements before it took too long"))
      }
      await answer(calls.filter { $0.deadline > now })
    }
  }

  private func next() -> [Call]? {
    state.withLock { state in
      guard !state.waiting.isEmpty else {
        state.running -= 1
        return nil
      }
      let calls = Array(state.waiting.prefix(Self.librariesInStatement))
      state.waiting.removeFirst(calls.count)
      return calls
    }
  }

  private func answer(_ calls: [Call]) async {
    guard let last = calls.map(\.deadline).max() else { return }
    do {
      let updates = try await read(calls.map(\.library), ContinuousClock.now.duration(to: last))
      for (call, update) in zip(calls, updates) { call.continuation.resume(with: update) }
    } catch {
      for call in calls { call.continuation.resume(throwing: error) }
    }
  }
}

/// A library as a node has read it.
struct KnownLibrary: Sendable {
  let name: LibraryName
  let replica: Replica
}

extension PostgresSession {
  /// Reads what is newer in libraries, and resolves pairings, with one statement.
  ///
  /// A library gets a random device number when it is created, so the same number means the same library.
  /// - Returns: for each library its update, or the error for a value that no version of Longbox writes.
  func updates(of libraries: [KnownLibrary]) throws -> [Result<LibraryUpdate, any Error>] {
    // OFFSET 0 keeps the planner from reading all registers for a long list of names.
    let rows = try execute(
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
    var rowsByPlace = [[SQLRow]](repeating: [], count: libraries.count)
    for row in rows.map({ $0 }) {
      let index = try row.int(9) - 1
      guard rowsByPlace.indices.contains(index) else { throw row.unexpected(9) }
      rowsByPlace[index].append(row)
    }
    return zip(libraries, rowsByPlace).map { library, rows in
      Result { try Self.update(since: library.replica, rows) }
    }
  }

  private static func update(since known: Replica, _ rows: [SQLRow]) throws -> LibraryUpdate {
    guard let first = rows.first, !first.isNull(1) else { return .gone }
    let home = LibraryName(bytes: try first.bytes(0))
    let (device, sequence) = (try first.bits(1), try first.bits(2))
    let newer = try rows.filter { !$0.isNull(3) }.map { try Libraries.register($0, from: 3) }
    guard device == known.clock.device, sequence >= known.library.sequence else {
      return .changed(
        Replica(library: try Libraries.library(newer, upTo: sequence), device: device),
        home: home
      )
    }
    guard sequence > known.library.sequence else { return .unchanged }
    return try Libraries.checked { () throws(LibraryError) in
      var replica = known
      try replica.library.take(newer, upTo: sequence)
      return .changed(replica, home: home)
    }
  }
}
