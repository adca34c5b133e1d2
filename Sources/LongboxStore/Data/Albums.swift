// Longbox
// SPDX-License-Identifier: MIT

public import struct Foundation.Date
public import LongboxCore

/// Replies about albums, and the albums' covers.
public struct AlbumStore: Sendable {
  let store: Store

  /// The stored reply to a question about albums, however old.
  public func reply(to question: String) async throws(StoreError) -> StoredReply? {
    try await store.read { database in
      try database.first(
        "SELECT body, fetched_at FROM album_answer WHERE question = $1",
        .text(question),
        read: Albums.reply
      )
    }
  }

  /// Reads the stored replies of a kind one by one, newest first, and returns the values that `reading` makes of them.
  ///
  /// All replies together may have hundreds of megabytes.
  /// - Parameters:
  ///   - kind: what was asked.
  ///   - reading: makes a value of a reply and its question, or nil to skip it.
  public func replies<Value: Sendable>(
    of kind: StoredReply.Kind,
    reading: @escaping @Sendable (_ question: String, _ reply: StoredReply) -> Value?
  ) async throws(StoreError) -> [Value] {
    try await store.read { database in try database.albums.replies(of: kind, reading) }
  }

  /// Stores a reply, replacing an older one, and the addresses of its albums' covers.
  /// - Parameters:
  ///   - reply: the bytes, at most 8 MiB.
  ///   - kind: what was asked; ``StoredReply/Kind`` limits how many are kept.
  ///   - question: a name for the question, at most 400 characters.
  ///   - artwork: the addresses of the covers.
  public func save(
    _ reply: StoredReply,
    kind: StoredReply.Kind,
    to question: String,
    artwork: [StoreID: String]
  ) async throws(StoreError) {
    let limit = store.albumLimits.addresses
    try await store.write { database in
      try database.albums.put(reply, kind: kind, to: question)
      try database.albums.putArtworkAddresses(artwork, heardAt: reply.fetchedAt, keeping: limit)
    }
  }

  /// Wikipedia's stored reply about an album.
  public func article(of album: StoreID, language: String) async throws(StoreError) -> StoredReply? {
    try await store.read { database in
      try database.first(
        "SELECT body, fetched_at FROM album_article WHERE album = $1 AND language = $2",
        .init(album),
        .text(language),
        read: Albums.reply
      )
    }
  }

  /// Stores Wikipedia's reply about an album.
  public func saveArticle(
    _ reply: StoredReply,
    of album: StoreID,
    language: String
  ) async throws(StoreError) {
    let limit = store.albumLimits.articles
    try await store.write { database in
      try database.change(
        """
        INSERT INTO album_article (album, language, body, fetched_at) VALUES ($1, $2, $3, $4)
        ON CONFLICT (album, language) DO UPDATE SET body = excluded.body, fetched_at = excluded.fetched_at
        """,
        .init(album),
        .text(language),
        .bytes(reply.body),
        .init(reply.fetchedAt)
      )
      try database.change(
        """
        DELETE FROM album_article WHERE (album, language) IN (
          SELECT album, language FROM album_article ORDER BY fetched_at DESC LIMIT \(Albums.all) OFFSET $1
        )
        """,
        .init(limit)
      )
    }
  }

  /// Marks a reply of Wikipedia as old, so that it is fetched again; until then it stays.
  public func expireArticle(of album: StoreID, language: String) async throws(StoreError) {
    try await store.write { database in
      try database.change(
        "UPDATE album_article SET fetched_at = 0 WHERE album = $1 AND language = $2",
        .init(album),
        .text(language)
      )
    }
  }

  /// The address of an album's cover, from the newest reply.
  public func artworkAddress(of album: StoreID) async throws(StoreError) -> String? {
    try await store.read { database in
      try database.first("SELECT address FROM artwork_address WHERE album = $1", .init(album)) { row in
        try row.text(0)
      }
    }
  }

  /// A stored cover with its bytes; nil if it is missing or from another address.
  public func artwork(
    _ size: ArtworkSize,
    of album: StoreID
  ) async throws(StoreError) -> (picture: StoredPicture, bytes: [UInt8])? {
    let found = try await store.engine.readPicture(in: .artwork) { database in
      try database.first(
        """
        SELECT name, byte_count FROM artwork_file JOIN artwork_address USING (album, address)
        WHERE album = $1 AND size = $2
        """,
        .init(album),
        .text(size.rawValue)
      ) { row in try row.pictureFile() }
    }
    guard let found, let bytes = found.bytes else { return nil }
    let picture = StoredPicture(
      name: found.file.name.value,
      file: store.engine.location(of: found.file.name, in: .artwork),
      byteCount: found.file.byteCount
    )
    return (picture, bytes)
  }

  /// Stores a cover; its bytes are stored before a row refers to them.
  /// - Parameters:
  ///   - bytes: the file.
  ///   - format: its format, detected from the bytes.
  ///   - address: where it came from, as ``artworkAddress(of:)`` gave it.
  ///   - size: its size.
  ///   - album: an album whose address is stored.
  ///   - fetchedAt: when it came; the oldest covers leave, see ``AlbumLimits``.
  public func saveArtwork(
    _ bytes: [UInt8],
    format: PictureFacts.Format,
    from address: String,
    _ size: ArtworkSize,
    of album: StoreID,
    fetchedAt: Date
  ) async throws(StoreError) {
    let limit = store.albumLimits.covers
    let new = NewPictureFile(bytes, ending: format.ending)
    try await store.writePictures([new], in: .artwork) { database in
      let before = try database.rows(
        "SELECT name, byte_count FROM artwork_file WHERE album = $1 AND size = $2",
        .init(album),
        .text(size.rawValue)
      ) { row in try row.pictureFile().name }
      try database.change(
        """
        INSERT INTO artwork_file (album, size, address, name, byte_count, fetched_at)
        VALUES ($1, $2, $3, $4, $5, $6)
        ON CONFLICT (album, size) DO UPDATE SET address = excluded.address, name = excluded.name,
          byte_count = excluded.byte_count, fetched_at = excluded.fetched_at
        """,
        .init(album),
        .text(size.rawValue),
        .text(address),
        .text(new.file.name.value),
        .init(new.file.byteCount),
        .init(fetchedAt)
      )
      // Another album may still use the files of the oldest covers.
      let oldest = try database.rows(
        """
        DELETE FROM artwork_file WHERE (album, size) IN (
          SELECT album, size FROM artwork_file ORDER BY fetched_at DESC LIMIT \(Albums.all) OFFSET $1
        ) RETURNING name, byte_count
        """,
        .init(limit)
      ) { row in try row.pictureFile().name }
      return Set(before + oldest)
    }
  }
}

/// The rows of the albums, within one read or one transaction.
struct Albums {
  /// A LIMIT beyond all rows, because SQLite has no OFFSET without one.
  fileprivate static let all = 1_000_000_000
  /// The number of replies that one statement reads.
  private static let batch = 50

  let database: any SQLConnection

  /// The values that `read` makes of a kind's replies, newest first; few replies are in memory at a time.
  func replies<Value>(
    of kind: StoredReply.Kind,
    _ read: (_ question: String, _ reply: StoredReply) -> Value?
  ) throws -> [Value] {
    var values: [Value] = []
    var (date, question) = (Int64.max, "")
    while true {
      let count = try database.rows(
        """
        SELECT body, fetched_at, question FROM album_answer
        WHERE kind = $1 AND fetched_at <= $2 AND (fetched_at < $2 OR question > $3)
        ORDER BY fetched_at DESC, question LIMIT $4
        """,
        .text(kind.rawValue),
        .integer(date),
        .text(question),
        .init(Self.batch)
      ) { row in
        (date, question) = (try row.int64(1), try row.text(2))
        if let value = read(question, try Self.reply(row)) { values.append(value) }
      }.count
      if count < Self.batch { return values }
    }
  }

  func put(_ reply: StoredReply, kind: StoredReply.Kind, to question: String) throws {
    try database.change(
      """
      INSERT INTO album_answer (question, kind, body, fetched_at) VALUES ($1, $2, $3, $4)
      ON CONFLICT (question) DO UPDATE SET kind = excluded.kind, body = excluded.body,
        fetched_at = excluded.fetched_at
      """,
      .text(question),
      .text(kind.rawValue),
      .bytes(reply.body),
      .init(reply.fetchedAt)
    )
    try database.change(
      """
      DELETE FROM album_answer WHERE question IN (
        SELECT question FROM album_answer WHERE kind = $1 ORDER BY fetched_at DESC LIMIT \(Self.all) OFFSET $2
      )
      """,
      .text(kind.rawValue),
      .init(kind.limit)
    )
  }

  /// An address is kept beyond the limit while its cover is stored.
  func putArtworkAddresses(_ addresses: [StoreID: String], heardAt: Date, keeping limit: Int) throws {
    guard !addresses.isEmpty else { return }
    try database.change(
      """
      INSERT INTO artwork_address (album, address, heard_at) VALUES ($1, $2, $3)
      ON CONFLICT (album) DO UPDATE SET address = excluded.address, heard_at = excluded.heard_at
      """,
      // Always in the same order, so two nodes can't deadlock.
      each: addresses.sorted { $0.key.value < $1.key.value }.map { album, address in
        [.init(album), .text(address), .init(heardAt)]
      }
    )
    try database.change(
      """
      DELETE FROM artwork_address WHERE album IN (
        SELECT album FROM artwork_address ORDER BY heard_at DESC LIMIT \(Self.all) OFFSET $1
      ) AND NOT EXISTS (SELECT 1 FROM artwork_file WHERE artwork_file.album = artwork_address.album)
      """,
      .init(limit)
    )
  }

  func artworkFiles() throws -> Set<PictureFile> {
    Set(
      try database.rows("SELECT DISTINCT name, byte_count FROM artwork_file") { row in try row.pictureFile() }
    )
  }

  func hasArtwork(_ name: ContentName) throws -> Bool {
    try database.first("SELECT EXISTS (SELECT 1 FROM artwork_file WHERE name = $1)", .text(name.value)) {
      row in try row.bool(0)
    } ?? false
  }

  fileprivate static func reply(_ row: SQLRow) throws -> StoredReply {
    StoredReply(body: try row.bytes(0), fetchedAt: try row.date(1))
  }
}

extension SQLConnection {
  var albums: Albums { Albums(database: self) }
}

/// A source's reply about albums, as it was sent.
public struct StoredReply: Hashable, Sendable {
  /// What was asked.
  public enum Kind: String, CaseIterable, Sendable {
    /// A search for artists by name.
    case artists
    /// An artist's albums.
    case albums
    /// An album's tracks.
    case tracks

    /// How many replies are kept; the oldest are removed.
    ///
    /// An album has about 15 KB.
    var limit: Int {
      switch self {
      case .artists, .albums: 2_000
      case .tracks: 20_000
      }
    }
  }

  /// The reply, byte for byte.
  public let body: [UInt8]
  /// When it came, to the second.
  public let fetchedAt: Date

  /// Makes a reply.
  public init(body: [UInt8], fetchedAt: Date) {
    self.body = body
    self.fetchedAt = fetchedAt
  }
}

/// The size of a stored cover.
public enum ArtworkSize: String, CaseIterable, Sendable {
  /// For the album's page.
  case cover
  /// For lists.
  case small
}

/// Limits on what the store keeps about albums.
///
/// When a limit is reached, the oldest rows are removed, and fetched again on demand.
///
/// They keep visitors from filling a public server's disk. For the limits on replies, see
/// ``StoredReply/Kind``.
public struct AlbumLimits: Sendable {
  /// Covers; a large one has about 60 KB, a small one 10.
  public var covers = 10_000
  /// Addresses of covers: as many as the albums of all replies.
  public var addresses = 400_000
  /// Wikipedia's replies, most often 30 KB.
  public var articles = 5_000

  /// Makes the default limits.
  public init() {}
}
