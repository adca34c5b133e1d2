// Longbox
// SPDX-License-Identifier: MIT

extension Store {
  /// Checks everything that is stored, and changes nothing.
  /// - Parameters:
  ///   - readingPictures: whether to check the hash of each picture, which is slow. Otherwise only sizes are checked.
  ///   - progress: called with the number of pictures and covers checked, and the total.
  public func audit(
    readingPictures: Bool = false,
    progress: @escaping @Sendable (_ done: Int, _ total: Int) -> Void = { _, _ in }
  ) async throws(StoreError) -> StoreAudit {
    var audit = try await engine.audit(readingPictures: readingPictures, progress: progress)
    guard !audit.missingPictures.isEmpty || !audit.damagedPictures.isEmpty else { return audit }
    // A writer may have replaced a file since the database was read. Only files still referred to are lost.
    let expected = try await readSnapshot { database in
      Set(try database.pictureFiles().map(\.file.name.value))
    }
    audit.missingPictures.removeAll { !expected.contains($0) }
    audit.damagedPictures.removeAll { !expected.contains($0) }
    return audit
  }
}
