// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

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
