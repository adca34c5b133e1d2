// Longbox
// SPDX-License-Identifier: MIT

import GRDB
import LongboxCore

/// The order in which a picture is stored: the file, then the row that tells of it, then away with what it replaced.
struct PictureWriter {
  let database: Database
  let files: PictureFiles

  /// The tables that a transaction about pictures changes.
  struct Tables {
    let comics: ComicTable
    let pictures: PictureTable
    let fetches: FetchTable
  }

  /// Checks that a comic's record is stored.
  func require(_ number: Comic.Number) throws {
    guard try ComicTable(database: database).comic(number) != nil else {
      throw StoreError.unknownComic(number)
    }
  }

  /// Checks that something is known of a comic's picture.
  func requirePicture(_ number: Comic.Number) throws {
    guard try PictureTable(database: database).facts(of: number) != nil else {
      throw StoreError.unknownComic(number)
    }
  }

  /// Puts bytes on the disk.
  func write(_ bytes: [UInt8], ending: String) throws -> PictureTable.File {
    let name = ContentName(of: bytes, ending: ending)
    try files.write(bytes, as: name)
    return PictureTable.File(name: name, byteCount: bytes.count)
  }

  /// Changes the tables in one transaction, and removes the files that are then nobody's.
  /// - Parameter body: adds the files that were replaced to its second argument.
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
