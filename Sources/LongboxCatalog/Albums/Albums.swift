// Longbox
// SPDX-License-Identifier: MIT

public import Foundation
import Logging
public import LongboxCore
import LongboxStore
public import LongboxUpstream

/// Artists, albums and tracks from memory, the disk or the iTunes Store; stale ones while the store is down.
public final class Albums: Sendable {
  public struct Settings: Sendable {
    /// The country of the store, unless the reader picks another.
    public var country: StoreCountry
    /// Whether covers are fetched and shown.
    public var showsArtwork: Bool

    public init(country: StoreCountry = .unitedStates, showsArtwork: Bool = true) {
      self.country = country
      self.showsArtwork = showsArtwork
    }
  }

  public let settings: Settings
  let store: Store
  let client: ITunesClient?
  let wikipedia: WikipediaClient?
  let inspector: PictureInspector
  let now: @Sendable () -> Date
  let logger: Logger
  private let replies: AlbumReplyCache
  let coverMemory = MemoryCache<CoverKey, PictureContent>(limit: 8 << 20)
  let coverRequests = SourceRequests<CoverKey>(to: .artwork, perClient: 6)
  let articleRequests = SourceRequests<ArticleKey>(to: .wikipedia)

  init(
    store: Store,
    client: ITunesClient?,
    wikipedia: WikipediaClient?,
    inspector: PictureInspector,
    settings: Settings,
    now: @escaping @Sendable () -> Date,
    logger: Logger
  ) {
    self.store = store
    self.client = client
    self.wikipedia = wikipedia
    self.inspector = inspector
    self.settings = settings
    self.now = now
    self.logger = logger
    replies = AlbumReplyCache(store: store, client: client, now: now, logger: logger)
  }

  /// Searches for artists by name.
  /// - Parameters:
  ///   - term: the words to search for.
  ///   - country: the store's country.
  ///   - limit: the maximum wait. A later reply is still stored.
  ///   - asker: the address of the client that asks, whose questions take turns; nil for no turns.
  /// - Throws: `CatalogError` if the store does not answer and nothing is stored; `absent` if there are no
  ///   words, `invalid` if there are far too many.
  public func artists(
    named term: String,
    in country: StoreCountry,
    within limit: Duration,
    for asker: String? = nil
  ) async throws(CatalogError) -> AlbumLookup<[Artist]> {
    guard let question = ITunesQuestion(artistsNamed: term, in: country) else {
      guard term.contains(where: { !$0.isWhitespace }) else { throw .absent }
      throw .invalid(reason: "That is too long for an artist’s name. Use fewer words.")
    }
    return try await replies.lookUp(question, within: limit, for: asker).map(\.artists)
  }

  /// The albums of an artist.
  /// - Throws: `CatalogError`; `absent` if the store has no such artist.
  public func discography(
    of artist: StoreID,
    in country: StoreCountry,
    within limit: Duration,
    for asker: String? = nil
  ) async throws(CatalogError) -> AlbumLookup<Discography> {
    let question = ITunesQuestion(.albums(of: artist), in: country)
    let found = try await replies.lookUp(question, within: limit, for: asker)
    if case .here(let rows, _) = found, !rows.isFound(question) { throw .absent }
    return found.map { rows in
      Discography(artist: rows.artists.first { $0.id == artist }, albums: rows.albums(in: country))
    }
  }

  /// An album with its tracks.
  /// - Throws: `CatalogError`; `absent` if the country's store has no such album.
  public func album(
    _ album: StoreID,
    in country: StoreCountry,
    within limit: Duration,
    for asker: String? = nil
  ) async throws(CatalogError) -> AlbumLookup<AlbumDetails> {
    let question = ITunesQuestion(.tracks(of: album), in: country)
    switch try await replies.lookUp(question, within: limit, for: asker) {
    case .waiting(let seconds): return .waiting(seconds: seconds)
    case .refused(let pause): return .refused(pause)
    case .here(let rows, let age):
      guard let details = rows.album(album, in: country) else { throw .absent }
      return .here(details, .init(fetchedAt: age.fetchedAt, isStale: age.isStale))
    }
  }

  /// Since when the store refuses to answer, and when it is asked again; nil if it may be asked now.
  public func storePause() async -> SourcePause? {
    await replies.storePause()
  }

  /// A stored album with its tracks, however old; the store is not asked.
  public func storedAlbum(_ album: StoreID, in country: StoreCountry) async -> AlbumDetails? {
    let question = ITunesQuestion(.tracks(of: album), in: country)
    return try? await replies.stored(question)?.reply.album(album, in: country)
  }

  func cancelAll() async {
    await replies.cancelAll()
    await coverRequests.cancelAll()
    await articleRequests.cancelAll()
  }
}

/// The result of a question to the iTunes Store.
public enum AlbumLookup<Value: Sendable>: Sendable {
  /// A reply, new or stored.
  case here(Value, Age)
  /// The question is in the queue; ask again after about this many seconds.
  case waiting(seconds: Int)
  /// The source refuses to answer, and nothing is stored.
  case refused(SourcePause)

  /// The age of a reply.
  public struct Age: Equatable, Sendable {
    /// When the source sent it.
    public var fetchedAt: Date
    /// Whether it is older than its lifetime, because the source sent no newer one.
    public var isStale: Bool
  }

  /// The same result with its value transformed.
  func map<Other>(_ transform: (Value) throws -> Other) rethrows -> AlbumLookup<Other> {
    switch self {
    case .here(let value, let age):
      .here(try transform(value), .init(fetchedAt: age.fetchedAt, isStale: age.isStale))
    case .waiting(let seconds): .waiting(seconds: seconds)
    case .refused(let pause): .refused(pause)
    }
  }
}

extension AlbumLookup: Equatable where Value: Equatable {}
