// Longbox
// SPDX-License-Identifier: MIT

public import struct Foundation.URL
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
      database in
      for picture in pictures { try Self.requireRecord(of: picture.number, in: database) }
    } _: { database in
      var replaced: Set<ContentName> = []
      for (picture, standard, thumbnail) in written {
        var facts = picture.facts
        facts.version = standard.name.version
        if try database.pictures.put(facts, rulesVersion: picture.rulesVersion, of: picture.number) {
          try database.comics.noteChange(of: [picture.number])
        }
        if let before = try database.pictures.file(.standard, of: picture.number),
          before.name != standard.name
        {
          replaced.formUnion(try database.pictures.forgetFiles(of: picture.number))
          try database.fetches.forget(.doubleSize, of: picture.number)
          try database.fetches.forget(.larger, of: picture.number)
        }
        let old = try database.pictures.put(standard.file, as: .standard, of: picture.number)
        if let old { replaced.insert(old) }
        if let thumbnail {
          let old = try database.pictures.put(thumbnail.file, as: .thumbnail, of: picture.number)
          if let old { replaced.insert(old) }
        }
        try database.fetches.noteFetched(.picture, of: picture.number, lookAgain: nil)
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
    try await save(bytes, format, as: .doubleSize, .doubleSize, of: number) { database in
      try database.pictures.put(doubleSize: .present, of: number)
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
    try await save(bytes, format, as: .larger, .larger, of: number) { database in
      try database.pictures.put(larger: .present, of: number)
    }
  }

  /// Stores a further version of a comic's picture.
  /// - Parameter note: notes that it exists; returns whether that is new.
  private func save(
    _ bytes: [UInt8],
    _ format: PictureFacts.Format,
    as kind: PictureKind,
    _ part: ComicPart,
    of number: Comic.Number,
    _ note: @escaping @Sendable (any SQLConnection) throws -> Bool
  ) async throws(StoreError) {
    let new = NewPictureFile(bytes, ending: format.ending)
    try await store.writePictures([new]) { database in
      try Self.requirePicture(of: number, in: database)
    } _: { database in
      if try note(database) { try database.comics.noteChange(of: [number]) }
      let old = try database.pictures.put(new.file, as: kind, of: number)
      try database.fetches.noteFetched(part, of: number, lookAgain: nil)
      return old.map { [$0] } ?? []
    }
  }

  /// Notes that the larger version of a comic's picture is larger than Longbox takes; it isn't fetched again.
  public func noteLargerVersionTooLarge(of number: Comic.Number) async throws(StoreError) {
    try await store.write { database in
      try database.fetches.noteAbsent(.larger, of: number, lookAgain: nil)
      if try database.pictures.put(larger: .tooLarge, of: number) {
        try database.comics.noteChange(of: [number])
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
    try await store.writePictures(new.map { [$0] } ?? []) { database in
      try Self.requirePicture(of: number, in: database)
    } _: { database in
      if let inspected, try database.pictures.file(.standard, of: number)?.name.value != inspected {
        return new.map { [$0.name] } ?? []
      }
      if try database.pictures.put(facts, rulesVersion: rulesVersion, of: number) {
        try database.comics.noteChange(of: [number])
      }
      let old = try new.flatMap { try database.pictures.put($0.file, as: .thumbnail, of: number) }
      return old.map { [$0] } ?? []
    }
  }

  /// The comics whose stored picture has no thumbnail, or facts from older rules; newest first.
  public func numbersToInspect(
    rulesVersion: Int,
    limit: Int
  ) async throws(StoreError) -> [Comic.Number] {
    try await store.read { database in
      try database.rows(
        """
        SELECT number FROM picture
        WHERE EXISTS (SELECT 1 FROM picture_file AS file WHERE file.number = picture.number AND kind = 'standard')
          AND (rules_version < $1 OR NOT EXISTS (
            SELECT 1 FROM picture_file AS file WHERE file.number = picture.number AND kind = 'thumbnail'))
        ORDER BY number DESC LIMIT $2
        """,
        .init(rulesVersion),
        .init(limit)
      ) { row in try row.number(0) }
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
    try await store.read { database in try database.pictures.totals() }
  }

  /// Removes one comic's pictures, so that they are fetched again: at a reader's request, or because they
  /// can't be decoded; picture facts stay.
  public func discard(of number: Comic.Number) async throws(StoreError) {
    try await store.writePictures([]) { database in
      let replaced = try database.pictures.forgetFiles(of: number)
      try database.fetches.forget(.picture, of: number)
      try database.fetches.forget(.doubleSize, of: number)
      try database.fetches.forget(.larger, of: number)
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

  private static func requireRecord(of number: Comic.Number, in database: any SQLConnection) throws {
    guard try database.comics.raw(number) != nil else { throw StoreError.unknownComic(number) }
  }

  private static func requirePicture(of number: Comic.Number, in database: any SQLConnection) throws {
    guard try database.pictures.facts(of: number) != nil else { throw StoreError.unknownComic(number) }
  }
}

/// A comic's picture with its facts, to be stored.
public struct FetchedPicture: Hashable, Sendable {
  /// The comic; its record must be stored.
  public var number: Comic.Number
  /// The file's bytes.
  public var bytes: [UInt8]
  /// The picture's facts.
  ///
  /// If `doubleSize` is unknown, the stored value stays. `version` is computed from the bytes.
  public var facts: PictureFacts
  /// The version of the rules that found the facts.
  public var rulesVersion: Int
  /// The thumbnail as a WebP file, if one could be made.
  public var thumbnail: [UInt8]?

  /// Makes a picture to be stored.
  public init(
    number: Comic.Number,
    bytes: [UInt8],
    facts: PictureFacts,
    rulesVersion: Int,
    thumbnail: [UInt8]?
  ) {
    self.number = number
    self.bytes = bytes
    self.facts = facts
    self.rulesVersion = rulesVersion
    self.thumbnail = thumbnail
  }
}

/// A picture's file on the disk.
///
/// It never changes, because another picture has another name. So its name can be the entity tag, and
/// responses can be cached forever.
public struct StoredPicture: Hashable, Sendable {
  /// The name by content, such as `ab/cdef….png`: SHA-256 of the bytes in hexadecimal, and an extension.
  public let name: String
  /// The file's location.
  public let file: URL
  /// The size in bytes.
  public let byteCount: Int
}

/// The kind of a comic's picture.
public enum PictureKind: String, CaseIterable, Sendable {
  /// The picture that the source's record names.
  case standard
  /// The double-size picture (`_2x`).
  case doubleSize
  /// The larger version that the comic links to.
  case larger
  /// Longbox's small WebP for the overview.
  case thumbnail
}

/// The pictures' use of the disk.
public struct PictureTotals: Hashable, Sendable {
  /// The number of files; two comics may share one.
  public var files: Int
  /// Their bytes.
  public var bytes: Int

  /// Makes totals.
  public init(files: Int = 0, bytes: Int = 0) {
    self.files = files
    self.bytes = bytes
  }
}
