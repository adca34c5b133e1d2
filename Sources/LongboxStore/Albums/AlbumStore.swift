// Longbox
// SPDX-License-Identifier: MIT

public import struct Foundation.Date
public import LongboxCore

/// Replies about albums, and the albums' covers.
public struct AlbumStore: Sendable {
  let store: Store

  /// The stored reply to a question about albums, however old.
  public func reply(to question: String) async throws(StoreError) -> StoredReply? {
    try await store.read { tables in try tables.albums.reply(to: question) }
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
    try await store.read { tables in try tables.albums.replies(of: kind, reading) }
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
    try await store.write { tables in
      let table = tables.albums
      try table.put(reply, kind: kind, to: question)
      try table.putArtworkAddresses(artwork, heardAt: reply.fetchedAt, keeping: limit)
    }
  }

  /// Wikipedia's stored reply about an album.
  public func article(of album: StoreID, language: String) async throws(StoreError) -> StoredReply? {
    try await store.read { tables in try tables.albums.article(of: album, language: language) }
  }

  /// Stores Wikipedia's reply about an album.
  public func saveArticle(
    _ reply: StoredReply,
    of album: StoreID,
    language: String
  ) async throws(StoreError) {
    let limit = store.albumLimits.articles
    try await store.write { tables in
      try tables.albums.putArticle(reply, of: album, language: language, keeping: limit)
    }
  }

  /// Marks a reply of Wikipedia as old, so that it is fetched again; until then it stays.
  public func expireArticle(of album: StoreID, language: String) async throws(StoreError) {
    try await store.write { tables in
      try tables.albums.expireArticle(of: album, language: language)
    }
  }

  /// The address of an album's cover, from the newest reply.
  public func artworkAddress(of album: StoreID) async throws(StoreError) -> String? {
    try await store.read { tables in try tables.albums.artworkAddress(of: album) }
  }

  /// A stored cover with its bytes; nil if it is missing or from another address.
  public func artwork(
    _ size: ArtworkSize,
    of album: StoreID
  ) async throws(StoreError) -> (picture: StoredPicture, bytes: [UInt8])? {
    let found = try await store.engine.readPicture(in: .artwork) { tables in
      try tables.albums.artwork(size, of: album)
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
    try await store.writePictures([new], in: .artwork) { tables in
      var leaving: Set<ContentName> = []
      if let before = try tables.albums.anyArtwork(size, of: album) { leaving.insert(before.name) }
      try tables.albums.put(new.file, at: address, size, of: album, fetchedAt: fetchedAt)
      return leaving.union(try tables.albums.forgetArtwork(keeping: limit))
    }
  }
}
