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
    let new = NewPictureFile(bytes, ending: format.ending)
    try await store.writePictures([new]) { database in
      try Self.requirePicture(of: number, in: database)
    } _: { database in
      if try database.pictures.put(.present, of: number) {
        try database.comics.noteChange(of: [number])
      }
      let old = try database.pictures.put(new.file, as: .doubleSize, of: number)
      try database.fetches.noteFetched(.doubleSize, of: number, lookAgain: nil)
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
    try await store.writePictures([new]) { database in
      try Self.requirePicture(of: number, in: database)
    } _: { database in
      if try database.pictures.put(larger: .present, of: number) {
        try database.comics.noteChange(of: [number])
      }
      let old = try database.pictures.put(new.file, as: .larger, of: number)
      try database.fetches.noteFetched(.larger, of: number, lookAgain: nil)
      return old.map { [$0] } ?? []
    }
  }

  /// Notes that the larger version of a comic's picture is larger than Longbox takes; it isn't fetched again.
  public func noteTooLarge(_ number: Comic.Number) async throws(StoreError) {
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

/// The rows of the pictures and their files, within one read or one transaction.
struct Pictures {
  let database: any SQLConnection

  func facts(of number: Comic.Number) throws -> PictureFacts? {
    try database.first("SELECT \(Self.columns) FROM picture WHERE number = $1", .init(number)) { row in
      try Self.facts(row, from: 0)
    }
  }

  /// Stores a picture's facts; returns whether they have changed.
  func put(_ facts: PictureFacts, rulesVersion: Int, of number: Comic.Number) throws -> Bool {
    let before = try self.facts(of: number)
    var facts = facts
    if let before {
      if facts.doubleSize == .unknown { facts.doubleSize = before.doubleSize }
      if facts.larger == .unknown { facts.larger = before.larger }
      if facts.version == 0 { facts.version = before.version }
    }
    try database.change(
      """
      INSERT INTO picture (number, width, height, byte_count, frames, format, is_transparent, colour_permille,
        lightness, double_size, version, rules_version, larger)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
      ON CONFLICT (number) DO UPDATE SET width = excluded.width, height = excluded.height,
        byte_count = excluded.byte_count, frames = excluded.frames, format = excluded.format,
        is_transparent = excluded.is_transparent, colour_permille = excluded.colour_permille,
        lightness = excluded.lightness, double_size = excluded.double_size, version = excluded.version,
        rules_version = excluded.rules_version, larger = excluded.larger
      """,
      .init(number),
      .init(Int(facts.width)),
      .init(Int(facts.height)),
      .init(Int(facts.byteCount)),
      .init(Int(facts.frames)),
      .init(Int(facts.format.rawValue)),
      .boolean(facts.isTransparent),
      .init(Int(facts.colourPermille)),
      .init(Int(facts.lightness)),
      .init(Int(facts.doubleSize.rawValue)),
      .init(Int(facts.version)),
      .init(rulesVersion),
      .init(Int(facts.larger.rawValue))
    )
    return facts != before
  }

  /// Stores whether there is a double-size picture; returns whether that has changed.
  func put(_ doubleSize: PictureFacts.DoubleSize, of number: Comic.Number) throws -> Bool {
    try database.change(
      "UPDATE picture SET double_size = $1 WHERE number = $2 AND double_size <> $1",
      .init(Int(doubleSize.rawValue)),
      .init(number)
    ) > 0
  }

  /// Stores whether there is a larger version; returns whether that has changed.
  func put(larger: PictureFacts.Larger, of number: Comic.Number) throws -> Bool {
    try database.change(
      "UPDATE picture SET larger = $1 WHERE number = $2 AND larger <> $1",
      .init(Int(larger.rawValue)),
      .init(number)
    ) > 0
  }

  func file(_ kind: PictureKind, of number: Comic.Number) throws -> PictureFile? {
    try database.first(
      "SELECT name, byte_count FROM picture_file WHERE number = $1 AND kind = $2",
      .init(number),
      .text(kind.rawValue)
    ) { row in try row.pictureFile() }
  }

  /// Adds a file; returns the name of the file that it replaces.
  func put(_ file: PictureFile, as kind: PictureKind, of number: Comic.Number) throws -> ContentName? {
    let before = try self.file(kind, of: number)
    try database.change(
      """
      INSERT INTO picture_file (number, kind, name, byte_count) VALUES ($1, $2, $3, $4)
      ON CONFLICT (number, kind) DO UPDATE SET name = excluded.name, byte_count = excluded.byte_count
      """,
      .init(number),
      .text(kind.rawValue),
      .text(file.name.value),
      .init(file.byteCount)
    )
    return before?.name == file.name ? nil : before?.name
  }

  func files() throws -> [PictureFile] {
    try database.rows("SELECT DISTINCT name, byte_count FROM picture_file ORDER BY name") { row in
      try row.pictureFile()
    }
  }

  func totals() throws -> PictureTotals {
    try database.first(
      """
      SELECT count(*), CAST(coalesce(sum(byte_count), 0) AS bigint)
      FROM (SELECT DISTINCT name, byte_count FROM picture_file) AS file
      """
    ) { row in PictureTotals(files: try row.int(0), bytes: try row.int(1)) } ?? PictureTotals()
  }

  /// Removes a missing or damaged file from the table, so that it is fetched or made again.
  func forget(_ name: ContentName) throws {
    try database.change(
      """
      DELETE FROM comic_fetch WHERE (number, thing) IN (
        SELECT number, CASE kind WHEN 'standard' THEN 'picture' ELSE kind END FROM picture_file WHERE name = $1
      )
      """,
      .text(name.value)
    )
    try database.change("DELETE FROM picture_file WHERE name = $1", .text(name.value))
  }

  /// Removes a comic's files from the table, and returns their names.
  func forgetFiles(of number: Comic.Number) throws -> [ContentName] {
    try database.rows("DELETE FROM picture_file WHERE number = $1 RETURNING name, byte_count", .init(number))
    {
      row in try row.pictureFile().name
    }
  }

  /// The size of the files with a name; nil if no row has it.
  func byteCount(of name: ContentName) throws -> Int? {
    try database.first("SELECT byte_count FROM picture_file WHERE name = $1 LIMIT 1", .text(name.value)) {
      row in try row.int(0)
    }
  }

  /// The columns of the facts.
  static let columns = """
    width, height, byte_count, frames, format, is_transparent, colour_permille, lightness, double_size, version, larger
    """

  /// Reads the facts, beginning at a column.
  static func facts(_ row: any SQLRow, from column: Int) throws -> PictureFacts {
    guard let format = PictureFacts.Format(rawValue: .init(clamping: try row.int(column + 4))) else {
      throw row.unexpected(column + 4)
    }
    guard let doubleSize = PictureFacts.DoubleSize(rawValue: .init(clamping: try row.int(column + 8))) else {
      throw row.unexpected(column + 8)
    }
    guard let larger = PictureFacts.Larger(rawValue: .init(clamping: try row.int(column + 10))) else {
      throw row.unexpected(column + 10)
    }
    return PictureFacts(
      width: try row.int(column),
      height: try row.int(column + 1),
      byteCount: try row.int(column + 2),
      frames: try row.int(column + 3),
      format: format,
      isTransparent: try row.bool(column + 5),
      colourPermille: try row.int(column + 6),
      lightness: try row.int(column + 7),
      doubleSize: doubleSize,
      larger: larger,
      version: UInt32(clamping: try row.int(column + 9))
    )
  }
}

extension SQLConnection {
  var pictures: Pictures { Pictures(database: self) }

  /// The files that rows refer to.
  func pictureFiles() throws -> [(folder: PictureFolder, file: PictureFile)] {
    try pictures.files().map { (.pictures, $0) } + albums.artworkFiles().map { (.artwork, $0) }
  }

  /// Whether a row refers to a file.
  func uses(_ name: ContentName, in folder: PictureFolder) throws -> Bool {
    switch folder {
    case .pictures: try pictures.byteCount(of: name) != nil
    case .artwork: try albums.hasArtwork(name)
    }
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
