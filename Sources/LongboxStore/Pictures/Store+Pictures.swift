// Longbox
// SPDX-License-Identifier: MIT

import GRDB
public import struct LongboxCore.Comic
public import struct LongboxCore.PictureFacts

extension Store {
  /// Stores fetched pictures and their facts in one transaction; after a new picture, its double-size version
  /// is fetched again.
  /// - Parameter pictures: of comics whose records are stored. Each file is on the disk before the database
  ///   refers to it.
  /// - Throws: `unknownComic`; no picture is stored then.
  public func save(_ pictures: [FetchedPicture]) async throws(StoreError) {
    try await writeFiles { database, files in
      let writer = PictureWriter(database: database, files: files)
      for picture in pictures { try writer.require(picture.number) }
      let written = try pictures.map { picture in
        try (
          picture: picture,
          standard: writer.write(picture.bytes, ending: picture.facts.format.ending),
          thumbnail: picture.thumbnail.map { try writer.write($0, ending: "webp") }
        )
      }
      try writer.commit { tables, replaced in
        for (picture, standard, thumbnail) in written {
          var facts = picture.facts
          facts.version = standard.name.version
          if try tables.pictures.put(facts, rulesVersion: picture.rulesVersion, of: picture.number) {
            try tables.comics.noteChange(of: picture.number)
          }
          if let before = try tables.pictures.file(.standard, of: picture.number),
            before.name != standard.name
          {
            try tables.fetches.forget(.doubleSize, of: picture.number)
          }
          replaced.append(try tables.pictures.put(standard, as: .standard, of: picture.number))
          if let thumbnail {
            replaced.append(try tables.pictures.put(thumbnail, as: .thumbnail, of: picture.number))
          }
          try tables.fetches.noteFetched(.picture, of: picture.number, lookAgain: nil)
        }
      }
    }
  }

  /// Stores a comic's double-size picture, and notes that it exists.
  /// - Parameters:
  ///   - bytes: the file's bytes.
  ///   - format: its format, detected from the bytes.
  ///   - number: a comic whose picture was fetched before.
  /// - Throws: `unknownComic` if no picture facts are stored.
  public func saveDoubleSize(
    _ bytes: [UInt8],
    format: PictureFacts.Format,
    of number: Comic.Number
  ) async throws(StoreError) {
    try await writeFiles { database, files in
      let writer = PictureWriter(database: database, files: files)
      try writer.requirePicture(number)
      let file = try writer.write(bytes, ending: format.ending)
      try writer.commit { tables, replaced in
        if try tables.pictures.put(.present, of: number) { try tables.comics.noteChange(of: number) }
        replaced.append(try tables.pictures.put(file, as: .doubleSize, of: number))
        try tables.fetches.noteFetched(.doubleSize, of: number, lookAgain: nil)
      }
    }
  }

  /// Stores what newer rules found in a stored picture.
  /// - Parameters:
  ///   - facts: the new facts.
  ///   - rulesVersion: the version of the rules.
  ///   - thumbnail: a new thumbnail, or nil to keep the old one.
  ///   - number: the comic.
  /// - Throws: `unknownComic` if no picture facts are stored.
  public func save(
    _ facts: PictureFacts,
    rulesVersion: Int,
    thumbnail: [UInt8]?,
    of number: Comic.Number
  ) async throws(StoreError) {
    try await writeFiles { database, files in
      let writer = PictureWriter(database: database, files: files)
      try writer.requirePicture(number)
      let file = try thumbnail.map { try writer.write($0, ending: "webp") }
      try writer.commit { tables, replaced in
        if try tables.pictures.put(facts, rulesVersion: rulesVersion, of: number) {
          try tables.comics.noteChange(of: number)
        }
        if let file { replaced.append(try tables.pictures.put(file, as: .thumbnail, of: number)) }
      }
    }
  }

  /// The comics whose stored picture has no thumbnail, or facts from older rules; newest first.
  public func numbersToInspect(
    rulesVersion: Int,
    limit: Int
  ) async throws(StoreError) -> [Comic.Number] {
    try await read { database in
      try PictureTable(database: database).outdated(before: rulesVersion, limit: limit)
    }
  }

  /// A stored picture's file; a missing or damaged one returns nil, and is fetched or made again.
  public func picture(_ kind: PictureKind, of number: Comic.Number) async throws(StoreError) -> StoredPicture?
  {
    guard let file = try await read({ try PictureTable(database: $0).file(kind, of: number) }) else {
      return nil
    }
    guard files.isWhole(file.name, byteCount: file.byteCount) else {
      try await heal(file.name)
      return nil
    }
    return StoredPicture(
      name: file.name.value,
      file: files.location(of: file.name),
      byteCount: file.byteCount
    )
  }

  /// The bytes of a stored picture; nil if it was cleared or damaged in the meantime.
  public func bytes(of picture: StoredPicture) async throws(StoreError) -> [UInt8]? {
    guard let name = ContentName(picture.name) else { return nil }
    let bytes = try await read { [files] _ in try files.read(name, byteCount: picture.byteCount) }
    if bytes == nil { try await heal(name) }
    return bytes
  }

  /// The number of stored pictures and their bytes.
  public func pictureTotals() async throws(StoreError) -> PictureTotals {
    try await read { database in try PictureTable(database: database).totals() }
  }

  /// Removes one comic's pictures, so that they are fetched again: at a reader's request, or because they
  /// can't be decoded; picture facts stay.
  public func discardPictures(of number: Comic.Number) async throws(StoreError) {
    try await writeFiles { database, files in
      try PictureWriter(database: database, files: files).commit { tables, replaced in
        replaced += try tables.pictures.forgetFiles(of: number)
        try tables.fetches.forget(.picture, of: number)
        try tables.fetches.forget(.doubleSize, of: number)
      }
    }
  }

  /// Removes files that no comic or album uses, left by a killed writer; it lists all files, which is slow.
  /// - Returns: what was removed.
  @discardableResult
  public func sweepPictures() async throws(StoreError) -> PictureTotals {
    let artworkFiles = artworkFiles
    return try await writeFiles { database, files in
      var removed = PictureTotals()
      let tables = [
        (files, try PictureTable(database: database).files().map(\.name)),
        (artworkFiles, try AlbumTable(database: database).artworkFiles().map(\.name)),
      ]
      for (files, names) in tables {
        let known = Set(names)
        for (name, byteCount) in try files.all() where !known.contains(name) {
          try files.remove(name)
          removed.files += 1
          removed.bytes += byteCount
        }
      }
      return removed
    }
  }

  /// Removes a damaged file and its row, unless it was rewritten in the meantime.
  private func heal(_ name: ContentName) async throws(StoreError) {
    guard isWritable else { return }
    try await writeFiles { database, files in
      let table = PictureTable(database: database)
      guard let file = try table.files().first(where: { $0.name == name }) else { return }
      guard !files.isWhole(name, byteCount: file.byteCount) else { return }
      try database.inTransaction(.immediate) {
        try table.forget(name)
        return .commit
      }
      try files.remove(name)
    }
  }
}
