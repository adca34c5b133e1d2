// Longbox
// SPDX-License-Identifier: MIT

extension SharedStore {
  /// The secret with a name, which the first node stores; all nodes get the same.
  /// - Parameters:
  ///   - name: the secret's name.
  ///   - candidate: is stored if there is none.
  public func secret(_ name: String, orStoring candidate: [UInt8]) async throws(StoreError) -> [UInt8] {
    try await write { session in
      // A row that another node is inserting is waited for.
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
