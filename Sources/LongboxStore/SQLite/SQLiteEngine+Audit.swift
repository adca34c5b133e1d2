// Longbox
// SPDX-License-Identifier: MIT

import GRDB
import LongboxCore

extension SQLiteEngine {
  func audit(
    readingPictures: Bool,
    progress: @escaping @Sendable (_ done: Int, _ total: Int) -> Void
  ) async throws(StoreError) -> StoreAudit {
    try await readDatabase { [files, artworkFiles] database in
      let tables = SQLiteTables(database: database)
      var audit = StoreAudit()
      audit.databaseFaults = try Self.faults(database)
      audit.comics = try tables.comics.count()
      audit.gaps = try tables.comics.gaps()
      let pictures = try tables.pictures.files()
      let covers = try tables.albums.artworkFiles()
      let total = pictures.count + covers.count
      audit.wholePictures = try audit.compare(pictures, with: files, reading: readingPictures) {
        progress($0, total)
      }
      audit.wholeCovers = try audit.compare(Array(covers), with: artworkFiles, reading: readingPictures) {
        progress(pictures.count + $0, total)
      }
      return audit
    }
  }

  /// The results of SQLite's own checks, at most twenty of each kind.
  private static func faults(_ database: Database) throws -> [String] {
    let pages = try String.fetchAll(database, sql: "PRAGMA quick_check(20)").filter { $0 != "ok" }
    let references = try Row.fetchAll(database, sql: "PRAGMA foreign_key_check").prefix(20).map { row in
      "a row of \(try row.value("table") as String) refers to one of \(try row.value("parent") as String) that is missing"
    }
    return pages + references
  }
}

extension StoreAudit {
  /// Compares the database's files with those on the disk, and adds the differences.
  /// - Returns: how many files are intact.
  fileprivate mutating func compare(
    _ stored: [PictureFile],
    with files: PictureFiles,
    reading: Bool,
    _ progress: (_ done: Int) -> Void
  ) throws -> Int {
    let found = try files.all()
    var whole = 0
    for (index, file) in stored.enumerated() {
      progress(index)
      if found[file.name] == nil {
        missingPictures.append(file.name.value)
      } else if try files.isIntact(file, size: found[file.name], reading: reading) {
        whole += 1
      } else {
        damagedPictures.append(file.name.value)
      }
    }
    unusedFiles += Set(found.keys).subtracting(stored.map(\.name)).count
    return whole
  }
}

extension PictureFiles {
  /// Whether a file still has its stored size and, if read, its stored bytes.
  fileprivate func isIntact(_ file: PictureFile, size: Int?, reading: Bool) throws -> Bool {
    guard size == file.byteCount else { return false }
    guard reading else { return true }
    guard let bytes = try read(file.name, byteCount: file.byteCount) else { return false }
    return file.isContent(bytes)
  }
}
