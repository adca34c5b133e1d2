// Longbox
// SPDX-License-Identifier: MIT

public import struct Foundation.Date
import GRDB
public import LongboxCore

extension Store {
  /// The stored answer to a question about albums, however old.
  public func albumAnswer(to question: String) async throws(StoreError) -> StoredAnswer? {
    try await read { database in try AlbumTable(database: database).answer(to: question) }
  }

  /// The values that a closure makes of the stored answers of a kind, newest first; there may be hundreds of
  /// megabytes, so answers are read one by one.
  /// - Parameters:
  ///   - kind: what was asked.
  ///   - reading: makes a value of an answer and its question, or nil to skip it.
  public func albumAnswers<Value: Sendable>(
    of kind: StoredAnswer.Kind,
    reading: @escaping @Sendable (_ question: String, _ answer: StoredAnswer) -> Value?
  ) async throws(StoreError) -> [Value] {
    try await read { database in try AlbumTable(database: database).answers(of: kind, reading) }
  }

  /// Stores an answer, replacing an older one, and the addresses of its albums' covers.
  /// - Parameters:
  ///   - answer: the bytes, at most 8 MiB.
  ///   - kind: what was asked; ``StoredAnswer/Kind`` limits how many are kept.
  ///   - question: a name for the question, at most 400 characters.
  ///   - artwork: the addresses of the covers.
  public func save(
    _ answer: StoredAnswer,
    kind: StoredAnswer.Kind,
    to question: String,
    artwork: [StoreID: String]
  ) async throws(StoreError) {
    let limit = albumLimits.addresses
    try await write { database in
      let table = AlbumTable(database: database)
      try table.put(answer, kind: kind, to: question)
      try table.putArtworkAddresses(artwork, heardAt: answer.fetchedAt, keeping: limit)
    }
  }

  /// Wikipedia's stored answer about an album.
  public func article(of album: StoreID, language: String) async throws(StoreError) -> StoredAnswer? {
    try await read { database in try AlbumTable(database: database).article(of: album, language: language) }
  }

  /// Stores Wikipedia's answer about an album.
  public func saveArticle(
    _ answer: StoredAnswer,
    of album: StoreID,
    language: String
  ) async throws(StoreError) {
    let limit = albumLimits.articles
    try await write { database in
      try AlbumTable(database: database).putArticle(answer, of: album, language: language, keeping: limit)
    }
  }

  /// Marks an answer of Wikipedia as old, so that it is fetched again; until then it stays.
  public func expireArticle(of album: StoreID, language: String) async throws(StoreError) {
    try await write { database in
      try AlbumTable(database: database).expireArticle(of: album, language: language)
    }
  }

  /// The address of an album's cover, from the newest answer.
  public func artworkAddress(of album: StoreID) async throws(StoreError) -> String? {
    try await read { database in try AlbumTable(database: database).artworkAddress(of: album) }
  }

  /// A stored cover with its bytes; nil if it is missing or from another address.
  public func artwork(
    _ size: ArtworkSize,
    of album: StoreID
  ) async throws(StoreError) -> (picture: StoredPicture, bytes: [UInt8])? {
    let files = artworkFiles
    return try await read { database in
      guard let file = try AlbumTable(database: database).artwork(size, of: album),
        let bytes = try files.read(file.name, byteCount: file.byteCount)
      else { return nil }
      let picture = StoredPicture(
        name: file.name.value,
        file: files.location(of: file.name),
        byteCount: file.byteCount
      )
      return (picture, bytes)
    }
  }

  /// Stores a cover; the file is on the disk before the database refers to it.
  /// - Parameters:
  ///   - bytes: the file.
  ///   - format: its format, detected from the bytes.
  ///   - address: where it came from, as ``artworkAddress(of:)`` gave it.
  ///   - size: its size.
  ///   - album: an album whose address is stored.
  ///   - fetchedAt: when it came. The oldest covers are removed, see ``AlbumLimits``.
  ///   - fetchedAt: when it came; the oldest covers leave, see ``AlbumLimits``.
  public func saveArtwork(
    _ bytes: [UInt8],
    format: PictureFacts.Format,
    from address: String,
    _ size: ArtworkSize,
    of album: StoreID,
    fetchedAt: Date
  ) async throws(StoreError) {
    let limit = albumLimits.covers
    try await writeFiles(in: artworkFiles) { database, files in
      let table = AlbumTable(database: database)
      var leaving: Set<ContentName> = []
      let name = ContentName(of: bytes, ending: format.ending)
      try files.write(bytes, as: name)
      try database.inTransaction(.immediate) {
        if let before = try table.anyArtwork(size, of: album) { leaving.insert(before.name) }
        let file = PictureTable.File(name: name, byteCount: bytes.count)
        try table.put(file, at: address, size, of: album, fetchedAt: fetchedAt)
        leaving.formUnion(try table.forgetArtwork(keeping: limit))
        return .commit
      }
      for name in leaving where try !table.hasArtwork(name) { try files.remove(name) }
    }
  }
}
