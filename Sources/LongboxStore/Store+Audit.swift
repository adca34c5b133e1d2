// Longbox
// SPDX-License-Identifier: MIT

import GRDB
import LongboxCore

extension Store {
  /// Looks at everything that is stored, and changes nothing.
  /// - Parameter readingPictures: whether each picture is read and compared with its name, which takes as long as reading all
  ///   files; otherwise their sizes are compared.
  public func audit(readingPictures: Bool = false) async throws(StoreError) -> StoreAudit {
    var audit = try await look(readingPictures: readingPictures)
    guard !audit.missingPictures.isEmpty || !audit.damagedPictures.isEmpty else { return audit }
    // A writer may have replaced a file since the database was read: only what it still tells of is lost.
    let told = try await read { database in
      Set(try PictureTable(database: database).files().map(\.name.value))
    }
    audit.missingPictures.removeAll { !told.contains($0) }
    audit.damagedPictures.removeAll { !told.contains($0) }
    return audit
  }

  private func look(readingPictures: Bool) async throws(StoreError) -> StoreAudit {
    try await read { [files] database in
      var audit = StoreAudit()
      audit.databaseFaults = try Self.faults(database)
      let comics = ComicTable(database: database)
      audit.comics = try comics.count()
      if let newest = try comics.newest() { audit.gaps = try Self.gaps(database, below: newest) }
      let stored = try PictureTable(database: database).files()
      let found = try files.all()
      for file in stored {
        if found[file.name] == nil {
          audit.missingPictures.append(file.name.value)
        } else if try files.isIntact(file, size: found[file.name], reading: readingPictures) {
          audit.wholePictures += 1
        } else {
          audit.damagedPictures.append(file.name.value)
        }
      }
      audit.unusedFiles = Set(found.keys).subtracting(stored.map(\.name)).count
      return audit
    }
  }

  /// What SQLite's own checks find, at most twenty things.
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

extension PictureFiles {
  /// Whether a file has the size, and if read the bytes, that it was stored with.
  fileprivate func isIntact(_ file: PictureTable.File, size: Int?, reading: Bool) throws -> Bool {
    guard size == file.byteCount else { return false }
    guard reading else { return true }
    guard let bytes = try read(file.name, byteCount: file.byteCount) else { return false }
    let ending = file.name.value.split(separator: ".").last.map(String.init) ?? ""
    return ContentName(of: bytes, ending: ending) == file.name
  }
}
