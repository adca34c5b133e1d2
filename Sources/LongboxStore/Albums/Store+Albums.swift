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

  /// What is made of the stored answers of a kind, the newest first.
  ///
  /// There may be hundreds of megabytes of them, so they are read one by one.
  /// - Parameters:
  ///   - kind: what was asked.
  ///   - reading: makes something of an answer and the name of its question, or nothing.
  public func albumAnswers<Value: Sendable>(
    of kind: StoredAnswer.Kind,
    reading: @escaping @Sendable (_ question: String, _ answer: StoredAnswer) -> Value?
  ) async throws(StoreError) -> [Value] {
    try await read { database in try AlbumTable(database: database).answers(of: kind, reading) }
  }

  /// Keeps an answer in place of an older one, with where the covers of its albums are.
  /// - Parameters:
  ///   - answer: the bytes, at most 8 MiB.
  ///   - kind: what was asked; of each kind only so many are kept, see ``StoredAnswer/Kind``.
  ///   - question: a name for what was asked, at most 400 characters.
  ///   - artwork: where the covers of the albums in it are.
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

  /// What is stored of Wikipedia's answer about an album.
  public func article(of album: StoreID, language: String) async throws(StoreError) -> StoredArticle? {
    try await read { database in try AlbumTable(database: database).article(of: album, language: language) }
  }

  /// Keeps Wikipedia's answer about an album; what a reader picked stays.
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

  /// Keeps which page is about an album, where an answer is stored.
  /// - Parameters:
  ///   - page: its number, 0 for none of them, or nothing to leave it open again.
  ///   - album: the album.
  ///   - language: whose Wikipedia.
  public func pickArticle(_ page: Int?, of album: StoreID, language: String) async throws(StoreError) {
    try await write { database in
      try AlbumTable(database: database).pick(page, of: album, language: language)
    }
  }

  /// Makes an answer of Wikipedia's old, so that it is asked for anew; until then it stays.
  public func expireArticle(of album: StoreID, language: String) async throws(StoreError) {
    try await write { database in
      try AlbumTable(database: database).expireArticle(of: album, language: language)
    }
  }

  /// Where the cover of an album is, as the store last said.
  public func artworkAddress(of album: StoreID) async throws(StoreError) -> String? {
    try await read { database in try AlbumTable(database: database).artworkAddress(of: album) }
  }

  /// A stored cover with its bytes; nothing where none is stored, or what was stored is gone or of another address.
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

  /// Keeps a cover.
  ///
  /// It is on the disk before the database tells of it.
  /// - Parameters:
  ///   - bytes: the file.
  ///   - format: its format, told from the bytes.
  ///   - address: where it came from, as ``artworkAddress(of:)`` gave it.
  ///   - size: which size it is of.
  ///   - album: an album whose address is known.
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
