// Longbox
// SPDX-License-Identifier: MIT

import GRDB
public import struct LongboxCore.Comic
public import struct LongboxCore.PictureFacts

extension Store {
  /// Keeps pictures with what is known of them, all in one transaction, and that they were fetched.
  ///
  /// Where a comic's picture is another than before, its picture of twice the resolution is due again.
  /// - Parameter pictures: of comics whose records are stored. Each is on the disk before the database tells of it.
  /// - Throws: `unknownComic`, and then none of them is kept.
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

  /// Keeps a comic's picture of twice the resolution, and that there is one.
  /// - Parameters:
  ///   - bytes: the file's bytes.
  ///   - format: its format, told from the bytes.
  ///   - number: a comic whose picture was fetched before.
  /// - Throws: `unknownComic` where nothing is known of the comic's picture.
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

  /// Keeps what better rules found out about a picture that is stored already.
  /// - Parameters:
  ///   - facts: what is known now.
  ///   - rulesVersion: the version of the rules.
  ///   - thumbnail: a new thumbnail, or nothing to keep the one there is.
  ///   - number: the comic.
  /// - Throws: `unknownComic` where nothing is known of the comic's picture.
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

  /// The comics whose picture is stored, but without a thumbnail or with facts found by older rules; newest first.
  public func numbersToInspect(
    rulesVersion: Int,
    limit: Int
  ) async throws(StoreError) -> [Comic.Number] {
    try await read { database in
      try PictureTable(database: database).outdated(before: rulesVersion, limit: limit)
    }
  }

  /// A stored picture's file, or nothing where none is stored.
  ///
  /// A file that has gone missing, or has another size than it was stored with, is forgotten on that occasion, so that it
  /// is fetched or made again.
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

  /// The bytes of a stored picture, or nothing where it has been cleared or damaged meanwhile.
  public func bytes(of picture: StoredPicture) async throws(StoreError) -> [UInt8]? {
    guard let name = ContentName(picture.name) else { return nil }
    let bytes = try await read { [files] _ in try files.read(name, byteCount: picture.byteCount) }
    if bytes == nil { try await heal(name) }
    return bytes
  }

  /// How many pictures are stored, and in how many bytes.
  public func pictureTotals() async throws(StoreError) -> PictureTotals {
    try await read { database in try PictureTable(database: database).totals() }
  }

  /// Removes the pictures of one comic, so that they are fetched again: for a reader who asks for that, or where they can't
  /// be decoded after all.
  ///
  /// What is known of the picture stays.
  public func discardPictures(of number: Comic.Number) async throws(StoreError) {
    try await writeFiles { database, files in
      try PictureWriter(database: database, files: files).commit { tables, replaced in
        replaced += try tables.pictures.forgetFiles(of: number)
        try tables.fetches.forget(.picture, of: number)
        try tables.fetches.forget(.doubleSize, of: number)
      }
    }
  }

  /// Removes all pictures from the disk.
  ///
  /// Records, and what is known of the pictures, stay.
  /// - Returns: what was removed.
  @discardableResult
  public func clearPictures() async throws(StoreError) -> PictureTotals {
    try await writeFiles { database, files in
      let table = PictureTable(database: database)
      let totals = try table.totals()
      let names = try table.files().map(\.name)
      try database.inTransaction(.immediate) {
        try table.forgetAll()
        return .commit
      }
      for name in names { try files.remove(name) }
      return totals
    }
  }

  /// Removes files that no comic and no album has: what a writer left that was killed between the disk and the database.
  ///
  /// It lists all files, so it is a job for quiet times, not for the start.
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

  /// Forgets a file that is not what the database says, unless it has been written anew meanwhile.
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
