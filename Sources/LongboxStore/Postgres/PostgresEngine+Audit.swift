// Longbox
// SPDX-License-Identifier: MIT

extension PostgresEngine {
  /// Checks the pictures' rows; PostgreSQL itself checks references, and its pages if data checksums are on.
  func audit(
    readingPictures: Bool,
    progress: @escaping @Sendable (_ done: Int, _ total: Int) -> Void
  ) async throws(StoreError) -> StoreAudit {
    do {
      return try await pool.transaction(
        "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
        within: .seconds(600)
      ) { session in
        let tables = PostgresTables(session: session)
        var audit = StoreAudit()
        audit.comics = try tables.comics.count()
        audit.gaps = try tables.comics.gaps()
        let pictures = try tables.pictures.files()
        let covers = Array(try tables.albums.artworkFiles())
        let total = pictures.count + covers.count
        audit.wholePictures = try audit.compare(pictures, in: session, reading: readingPictures) {
          progress($0, total)
        }
        audit.wholeCovers = try audit.compare(covers, in: session, reading: readingPictures) {
          progress(pictures.count + $0, total)
        }
        audit.unusedFiles = try PostgresBlobs(session: session).unusedCount()
        return audit
      }
    } catch {
      throw storeError(error)
    }
  }
}

extension StoreAudit {
  /// Compares rows with the pictures' bytes, and adds the differences.
  /// - Returns: how many pictures are intact.
  fileprivate mutating func compare(
    _ files: [PictureFile],
    in session: PostgresSession,
    reading: Bool,
    _ progress: (_ done: Int) -> Void
  ) throws -> Int {
    let blobs = PostgresBlobs(session: session)
    // A statement must end before its timeout.
    let size = 200
    var faults = 0
    for start in stride(from: 0, to: files.count, by: size) {
      progress(start)
      let batch = Array(files[start..<min(start + size, files.count)])
      let (missing, damaged) = try blobs.faults(in: batch, reading: reading)
      missingPictures += missing.sorted()
      damagedPictures += damaged.sorted()
      faults += missing.count + damaged.count
    }
    return files.count - faults
  }
}
