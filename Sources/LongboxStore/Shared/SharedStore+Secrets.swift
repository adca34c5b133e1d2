// Longbox
// SPDX-License-Identifier: MIT

extension SharedStore {
  /// The secret with a name.
  ///
  /// The first node stores it, and all nodes get the same.
  /// - Parameters:
  ///   - name: the secret's name.
  ///   - candidate: the secret to store if there is none.
  public func secret(_ name: String, orStoring candidate: [UInt8]) async throws(StoreError) -> [UInt8] {
    try await write { session in
      // This waits if another node is inserting the row.
      try session.execute(
        "INSERT INTO secret (name, content) VALUES ($1, $2) ON CONFLICT DO NOTHING",
        .text(name),
        .bytes(candidate)
      )
      let row = try session.execute("SELECT content FROM secret WHERE name = $1", .text(name)).first
      return try row?.bytes(0) ?? candidate
    }
  }
}
