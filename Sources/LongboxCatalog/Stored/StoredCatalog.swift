// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore
public import LongboxStore
import LongboxUpstream

/// The stored comics, explanations and pictures, for reading only; it asks no source and writes nothing.
public struct StoredCatalog: Sendable {
  public let archive: Archive
  /// The index of their explanations.
  public let explanationIndex: ExplanationIndex
  private let store: Store

  /// Loads the archive and the index.
  /// - Throws: `CatalogError.store` if the store can't be read.
  public init(_ store: Store) async throws(CatalogError) {
    self.store = store
    archive = try await Archive.stored(in: store)
    explanationIndex = try await ExplanationIndex.stored(in: store)
  }

  /// The explanation of a comic.
  /// - Throws: `CatalogError.store` if the store can't be read.
  public func explanation(of number: Comic.Number) async throws(CatalogError) -> ExplanationState {
    try await explanationSource(of: number).state
  }

  /// The explanation of a comic, not parsed yet.
  /// - Throws: `CatalogError.store` if the store can't be read.
  public func explanationSource(of number: Comic.Number) async throws(CatalogError) -> ExplanationSource {
    try await mappingErrors { ExplanationSource(try await store.explanations.explanation(of: number)) }
  }

  /// Counts of the stored explanations.
  /// - Throws: `CatalogError.store` if the store can't be read.
  public func explanationTotals() async throws(CatalogError) -> ExplanationTotals {
    try await mappingErrors { try await store.explanations.totals() }
  }

  /// A comic's picture; nil if it isn't stored.
  /// - Throws: `CatalogError.store` if the disk fails.
  public func picture(_ kind: PictureKind, of number: Comic.Number) async throws(CatalogError)
    -> PictureContent?
  {
    try await mappingErrors {
      guard let stored = try await store.pictures.picture(kind, of: number),
        let bytes = try await store.pictures.bytes(of: stored)
      else { return nil }
      return PictureContent(stored, bytes: bytes)
    }
  }

  /// The segment that brings a device's copy of the archive up to date; nil if it is current.
  /// - Throws: `CatalogError.store` if the store can't be read.
  public func update(for copy: ArchiveCopy) async throws(CatalogError) -> Segment? {
    try await mappingErrors { try await archive.update(for: copy, from: store) }
  }

  /// The same for the index of explanations.
  /// - Throws: `CatalogError.store` if the store can't be read.
  public func explanationUpdate(for copy: ArchiveCopy) async throws(CatalogError) -> Segment? {
    try await mappingErrors { try await explanationIndex.update(for: copy, from: store) }
  }
}

/// Search over the stored comics, for read-only use.
public struct StoredSearch: Sendable {
  /// The comics that are searched.
  public let archive: Archive
  private let search: Search
  private let store: Store

  /// Loads the archive and the index.
  /// - Throws: `CatalogError.store` if the store can't be read.
  public init(_ store: Store) async throws(CatalogError) {
    self.store = store
    archive = try await Archive.stored(in: store)
    search = Search(archive: archive, explanations: try await ExplanationIndex.stored(in: store))
  }

  /// Answers a question.
  /// - Throws: `CatalogError.store` if the store can't be read.
  public func results(for question: SearchQuestion) async throws(CatalogError) -> SearchResults {
    try await mappingErrors {
      try await search.results(for: question, running: { $0() }) { number in
        try await store.explanations.explanation(of: number).flatMap { Explanation($0)?.document.plainText }
      }
    }
  }
}

extension Search {
  /// Answers a question, with snippets from explanations; their texts are not in the index, so those
  /// of hits without another snippet are read, and some for a phrase that is in no other text.
  /// - Parameters:
  ///   - question: the question.
  ///   - run: runs a search, which may take long.
  ///   - text: reads the plain text of a comic's explanation.
  func results(
    for question: SearchQuestion,
    running run: (@escaping @Sendable () -> SearchResults) async throws -> SearchResults,
    text: (Comic.Number) async throws -> Text?
  ) async rethrows -> SearchResults {
    let results = try await run { self.results(for: question) }
    var found: [Comic.Number: Text] = [:]
    for number in results.missingTexts where found[number] == nil {
      found[number] = try await text(number)
    }
    let texts = found
    return texts.isEmpty ? results : try await run { self.results(for: question) { texts[$0] } }
  }
}

/// The albums whose tracks are stored, for read-only use of a data folder.
public struct StoredAlbums: Sendable {
  private let store: Store

  /// Makes a view of a store.
  public init(_ store: Store) {
    self.store = store
  }

  /// The albums whose names match some words, the most recently fetched first.
  /// - Throws: `CatalogError.store` if the store can't be read.
  public func albums(having words: Text) async throws(CatalogError) -> [SavedAlbum] {
    do {
      return try await store.albums.replies(of: .tracks) { question, reply in
        Self.album(question, reply).flatMap { $0.has(words) ? $0 : nil }
      }
    } catch {
      throw CatalogError(error)
    }
  }

  /// Decodes the reply to a question such as `tracks/gb/1038991417`.
  private static func album(_ question: String, _ reply: StoredReply) -> SavedAlbum? {
    let parts = question.split(separator: "/")
    guard parts.count == 3,
      let country = StoreCountry(Text(string: String(parts[1]))),
      let id = StoreID(Text(string: String(parts[2]))),
      let album = (try? ITunesReply(json: reply.body))?.album(id, in: country)?.album
    else { return nil }
    return SavedAlbum(
      id: id,
      country: country,
      year: album.released?.year ?? 0,
      name: album.name.full,
      artist: album.artist
    )
  }
}
