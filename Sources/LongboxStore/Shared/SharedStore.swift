// Longbox
// SPDX-License-Identifier: MIT

/// Codes, rate limits and secrets that the nodes of one database share.
///
/// With SQLite they are in the process's memory and in the data folder.
public struct SharedStore: Sendable {
  let engine: PostgresEngine

  func read<Value: Sendable>(
    _ body: @escaping @Sendable (PostgresSession) throws -> Value
  ) async throws(StoreError) -> Value {
    do { return try await engine.pool.read(body) } catch { throw engine.storeError(error) }
  }

  func write<Value: Sendable>(
    _ body: @escaping @Sendable (PostgresSession) throws -> Value
  ) async throws(StoreError) -> Value {
    do {
      return try await engine.pool.transaction { session in try body(session) }
    } catch {
      throw engine.storeError(error)
    }
  }
}

extension Store {
  /// The data that nodes share; nil with SQLite.
  public var shared: SharedStore? { engine.shared }

  /// Whether other nodes may change the store at any time.
  public var isShared: Bool { shared != nil }
}
