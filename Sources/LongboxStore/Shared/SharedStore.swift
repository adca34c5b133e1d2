// Longbox
// SPDX-License-Identifier: MIT

/// What the nodes of one database share besides the readers' data: codes, limits and secrets.
///
/// A store of one process has none: there these are in its memory and in its data folder.
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
  /// What nodes share; nil if no other process may change what is stored.
  public var shared: SharedStore? { engine.shared }

  /// Whether other nodes may change what is stored at any time.
  public var isShared: Bool { shared != nil }
}
