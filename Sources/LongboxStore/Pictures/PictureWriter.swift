// Longbox
// SPDX-License-Identifier: MIT

import GRDB
import LongboxCore

/// Stores pictures in a safe order: write the file, then its row, then remove the replaced file.
struct PictureWriter {
  let database: Database
  let files: PictureFiles

  struct Tables {
    let comics: ComicTable
    let pictures: PictureTable
    let fetches: FetchTable
  }

  func require(_ number: Comic.Number) throws {
    guard try ComicTable(database: database).comic(number) != nil else {
      throw StoreError.unknownComic(number)
    }
  }

  func requirePicture(_ number: Comic.Number) throws {
    guard try PictureTable(database: database).facts(of: number) != nil else {
      throw StoreError.unknownComic(number)
    }
  }

  func write(_ bytes: [UInt8], ending: String) throws -> PictureTable.File {
    let name = ContentName(of: bytes, ending: ending)
    try files.write(bytes, as: name)
    return PictureTable.File(name: name, byteCount: bytes.count)
  }

  /// Changes the tables in one transaction, and removes files that are no longer used.
  /// - Parameter body: adds the replaced files to its second argument.
  func commit(_ body: (Tables, inout [PictureTable.File?]) throws -> Void) throws {
    var replaced: [PictureTable.File?] = []
    try database.inTransaction(.immediate) {
      let tables = Tables(
        comics: ComicTable(database: database),
        pictures: PictureTable(database: database),
        fetches: FetchTable(database: database)
      )
      try body(tables, &replaced)
      return .commit
    }
    let kept = Set(try PictureTable(database: database).files().map(\.name))
    for file in replaced.compactMap({ $0 }) where !kept.contains(file.name) { try files.remove(file.name) }
  }
}
