// Longbox
// SPDX-License-Identifier: MIT

public import struct LongboxCore.Comic
public import struct LongboxCore.PictureFacts

/// The comics' pictures, their thumbnails and what is known about them.
public struct PictureStore: Sendable {
  let store: Store

  /// Stores fetched pictures and their facts in one transaction.
  ///
  /// A changed picture removes the comic's double-size picture and larger version, which may no longer fit and are
  /// fetched again.
  /// - Parameter pictures: of comics whose records are stored. Each file is stored before a row refers to it.
  /// - Throws: `unknownComic`; no picture is stored then.
  public func save(_ pictures: [FetchedPicture]) async throws(StoreError) {
    let written = pictures.map { picture in
      (
        picture: picture,
        standard: NewPictureFile(picture.bytes, ending: picture.facts.format.ending),
        thumbnail: picture.thumbnail.map { NewPictureFile($0, ending: "webp") }
      )
    }
    try await store.writePictures(written.flatMap { [$0.standard] + ($0.thumbnail.map { [$0] } ?? []) }) {
      tables in
      for picture in pictures { try Self.requireRecord(of: picture.number, in: tables) }
    } _: { tables in
      var replaced: Set<ContentName> = []
      for (picture, standard, thumbnail) in written {
        var facts = picture.facts
        facts.version = standard.name.version
        if try tables.pictures.put(facts, rulesVersion: picture.rulesVersion, of: picture.number) {
          try tables.comics.noteChange(of: picture.number)
        }
        if let before = try tables.pictures.file(.standard, of: picture.number), before.name != standard.name
        {
          replaced.formUnion(try tables.pictures.forgetFiles(of: picture.number))
          try tables.fetches.forget(.doubleSize, of: picture.number)
          try tables.fetches.forget(.larger, of: picture.number)
        }
        let old = try tables.pictures.put(standard.file, as: .standard, of: picture.number)
        if let old { replaced.insert(old) }
        if let thumbnail {
          let old = try tables.pictures.put(thumbnail.file, as: .thumbnail, of: picture.number)
          if let old { replaced.insert(old) }
        }
        try tables.fetches.noteFetched(.picture, of: picture.number, lookAgain: nil)
      }
      return replaced
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
    let new = NewPictureFile(bytes, ending: format.ending)
    try await store.writePictures([new]) { tables in
      try Self.requirePicture(of: number, in: tables)
    } _: { tables in
      if try tables.pictures.put(.present, of: number) {
        try tables.comics.noteChange(of: number)
      }
      let old = try tables.pictures.put(new.file, as: .doubleSize, of: number)
      try tables.fetches.noteFetched(.doubleSize, of: number, lookAgain: nil)
      return old.map { [$0] } ?? []
    }
  }

  /// Stores the larger version of a comic's picture, and notes that it exists.
  /// - Parameters:
  ///   - bytes: the file's bytes.
  ///   - format: its format, detected from the bytes.
  ///   - number: a comic whose picture was fetched before.
  /// - Throws: `unknownComic` if no picture facts are stored.
  public func saveLarger(
    _ bytes: [UInt8],
    format: PictureFacts.Format,
    of number: Comic.Number
  ) async throws(StoreError) {
    let new = NewPictureFile(bytes, ending: format.ending)
    try await store.writePictures([new]) { tables in
      try Self.requirePicture(of: number, in: tables)
    } _: { tables in
      if try tables.pictures.put(larger: .present, of: number) {
        try tables.comics.noteChange(of: number)
      }
      let old = try tables.pictures.put(new.file, as: .larger, of: number)
      try tables.fetches.noteFetched(.larger, of: number, lookAgain: nil)
      return old.map { [$0] } ?? []
    }
  }

  /// Notes that the larger version of a comic's picture is larger than Longbox takes; it isn't fetched again.
  public func noteTooLarge(_ number: Comic.Number) async throws(StoreError) {
    try await store.write { tables in
      try tables.fetches.noteAbsent(.larger, of: number, lookAgain: nil)
      if try tables.pictures.put(larger: .tooLarge, of: number) {
        try tables.comics.noteChange(of: number)
      }
    }
  }

  /// Stores what newer rules found in a stored picture.
  /// - Parameters:
  ///   - facts: the new facts.
  ///   - rulesVersion: the version of the rules.
  ///   - thumbnail: a new thumbnail, or nil to keep the old one.
  ///   - number: the comic.
  ///   - inspected: the name of the inspected file. If another file is stored now, nothing changes; nil to skip the
  ///     check.
  /// - Throws: `unknownComic` if no picture facts are stored.
  public func save(
    _ facts: PictureFacts,
    rulesVersion: Int,
    thumbnail: [UInt8]?,
    of number: Comic.Number,
    inspected: String? = nil
  ) async throws(StoreError) {
    let new = thumbnail.map { NewPictureFile($0, ending: "webp") }
    try await store.writePictures(new.map { [$0] } ?? []) { tables in
      try Self.requirePicture(of: number, in: tables)
    } _: { tables in
      if let inspected, try tables.pictures.file(.standard, of: number)?.name.value != inspected {
        return new.map { [$0.name] } ?? []
      }
      if try tables.pictures.put(facts, rulesVersion: rulesVersion, of: number) {
        try tables.comics.noteChange(of: number)
      }
      let old = try new.flatMap { try tables.pictures.put($0.file, as: .thumbnail, of: number) }
      return old.map { [$0] } ?? []
    }
  }

  /// The comics whose stored picture has no thumbnail, or facts from older rules; newest first.
  public func numbersToInspect(
    rulesVersion: Int,
    limit: Int
  ) async throws(StoreError) -> [Comic.Number] {
    try await store.read { tables in
      try tables.pictures.outdated(before: rulesVersion, limit: limit)
    }
  }

  /// A stored picture's file; a missing or damaged one returns nil, and is fetched or made again.
  public func picture(_ kind: PictureKind, of number: Comic.Number) async throws(StoreError) -> StoredPicture?
  {
    guard let file = try await store.read({ try $0.pictures.file(kind, of: number) }) else { return nil }
    guard try await store.engine.bringToDisk(file, in: .pictures) else {
      try await forgetDamaged(file.name)
      return nil
    }
    return StoredPicture(
      name: file.name.value,
      file: store.engine.location(of: file.name, in: .pictures),
      byteCount: file.byteCount
    )
  }

  /// The bytes of a stored picture; nil if it was cleared or damaged in the meantime.
  public func bytes(of picture: StoredPicture) async throws(StoreError) -> [UInt8]? {
    guard let name = ContentName(picture.name) else { return nil }
    let file = PictureFile(name: name, byteCount: picture.byteCount)
    let bytes = try await store.engine.readPicture(in: .pictures) { _ in file }?.bytes
    if bytes == nil { try await forgetDamaged(name) }
    return bytes
  }

  /// The number of stored pictures and their bytes.
  public func totals() async throws(StoreError) -> PictureTotals {
    try await store.read { tables in try tables.pictures.totals() }
  }

  /// Removes one comic's pictures, so that they are fetched again: at a reader's request, or because they
  /// can't be decoded; picture facts stay.
  public func discard(of number: Comic.Number) async throws(StoreError) {
    try await store.writePictures([]) { tables in
      let replaced = try tables.pictures.forgetFiles(of: number)
      try tables.fetches.forget(.picture, of: number)
      try tables.fetches.forget(.doubleSize, of: number)
      try tables.fetches.forget(.larger, of: number)
      return Set(replaced)
    }
  }

  /// Removes files that no comic or album uses, left by a killed writer; it lists all files, which is slow.
  /// - Returns: what was removed.
  @discardableResult
  public func sweep() async throws(StoreError) -> PictureTotals {
    try store.requireWritable()
    return try await store.engine.sweepPictures()
  }

  /// Removes a damaged file and its row, unless it was rewritten in the meantime.
  private func forgetDamaged(_ name: ContentName) async throws(StoreError) {
    guard store.isWritable else { return }
    try await store.engine.forgetDamagedPicture(name)
  }

  private static func requireRecord(of number: Comic.Number, in tables: any StoreTables) throws {
    guard try tables.comics.raw(number) != nil else { throw StoreError.unknownComic(number) }
  }

  private static func requirePicture(of number: Comic.Number, in tables: any StoreTables) throws {
    guard try tables.pictures.facts(of: number) != nil else { throw StoreError.unknownComic(number) }
  }
}
