// Longbox
// SPDX-License-Identifier: MIT

import GRDB
import LongboxCore

extension Store {
  /// Checks everything that is stored, and changes nothing.
  /// - Parameter readingPictures: whether to read each picture and compare it with its name, which is slow.
  ///   Otherwise only sizes are compared.
  public func audit(readingPictures: Bool = false) async throws(StoreError) -> StoreAudit {
    var audit = try await look(readingPictures: readingPictures)
    guard !audit.missingPictures.isEmpty || !audit.damagedPictures.isEmpty else { return audit }
    // A writer may have replaced a file since the database was read. Only files still referred to are lost.
    let expected = try await read { database in
      let pictures =
        try PictureTable(database: database).files() + AlbumTable(database: database).artworkFiles()
      return Set(pictures.map(\.name.value))
    }
    audit.missingPictures.removeAll { !expected.contains($0) }
    audit.damagedPictures.removeAll { !expected.contains($0) }
    return audit
  }

  private func look(readingPictures: Bool) async throws(StoreError) -> StoreAudit {
    try await read { [files, artworkFiles] database in
      var audit = StoreAudit()
      audit.databaseFaults = try Self.faults(database)
      let comics = ComicTable(database: database)
      audit.comics = try comics.count()
      if let newest = try comics.newest() { audit.gaps = try Self.gaps(database, below: newest) }
      let pictures = try PictureTable(database: database).files()
      audit.wholePictures = try audit.compare(pictures, with: files, reading: readingPictures)
      let covers = try AlbumTable(database: database).artworkFiles()
      audit.wholeCovers = try audit.compare(Array(covers), with: artworkFiles, reading: readingPictures)
      return audit
    }
  }

  /// The results of SQLite's own checks, at most twenty of each kind.
  private static func faults(_ database: Database) throws -> [String] {
    let pages = try String.fetchAll(database, sql: "PRAGMA quick_check(20)").filter { $0 != "ok" }
    let references = try Row.fetchAll(database, sql: "PRAGMA foreign_key_check").prefix(20).map { row in
      "a row of \(row["table"] as String) refers to one of \(row["parent"] as String) that is missing"
    }
    return pages + references
  }

  private static func gaps(_ database: Database, below newest: Comic.Number) throws -> [Comic.Number] {
    let stored = Set(try Int.fetchAll(database, sql: "SELECT number FROM comic"))
    return (1...newest.value).filter { !stored.contains($0) }.compactMap { Comic.Number($0) }
  }
}

extension StoreAudit {
  /// Compares the database's files with those on the disk, and adds the differences.
  /// - Returns: how many files are intact.
  fileprivate mutating func compare(
    _ stored: [PictureTable.File],
    with files: PictureFiles,
    reading: Bool
  ) throws -> Int {
    let found = try files.all()
    var whole = 0
    for file in stored {
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
  fileprivate func isIntact(_ file: PictureTable.File, size: Int?, reading: Bool) throws -> Bool {
    guard size == file.byteCount else { return false }
    guard reading else { return true }
    guard let bytes = try read(file.name, byteCount: file.byteCount) else { return false }
    let ending = file.name.value.split(separator: ".").last.map(String.init) ?? ""
    return ContentName(of: bytes, ending: ending) == file.name
  }
}
