// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import Logging
public import LongboxCore
import LongboxStore
import LongboxUpstream

/// Artists, albums and tracks from memory, the disk or the iTunes Store; stale ones while the store is down.
public final class Albums: Sendable {
  /// What the operator can configure.
  public struct Settings: Sendable {
    /// The country of the store, unless the reader picks another.
    public var country: StoreCountry
    /// Whether covers are fetched and shown.
    public var showsArtwork: Bool
    /// Whether to show the cleaned version of an album that also has an explicit one.
    public var prefersClean: Bool

    /// Makes settings.
    public init(
      country: StoreCountry = .unitedStates,
      showsArtwork: Bool = true,
      prefersClean: Bool = false
    ) {
      self.country = country
      self.showsArtwork = showsArtwork
      self.prefersClean = prefersClean
    }
  }

  private struct Read: Sendable {
    var answer: ITunesAnswer
    var fetchedAt: Date
  }

  /// What the operator has configured.
  public let settings: Settings
  let store: Store
  let wikipedia: WikipediaClient?
  let client: ITunesClient?
  let now: @Sendable () -> Date
  let logger: Logger
  private let answers = MemoryCache<ITunesQuestion, Read>(limit: 8 << 20)
  private let work = SingleFlight<ITunesQuestion, Void>()
  private let failures = NegativeCache<ITunesQuestion>()
  let covers = AlbumCovers()
  let articles = AlbumArticles()

  init(
    store: Store,
    client: ITunesClient?,
    wikipedia: WikipediaClient?,
    settings: Settings,
    now: @escaping @Sendable () -> Date,
    logger: Logger
  ) {
    self.store = store
    self.client = client
    self.wikipedia = wikipedia
    self.settings = settings
    self.now = now
    self.logger = logger
  }

  /// Searches for artists by name.
  /// - Parameters:
  ///   - term: the words to search for.
  ///   - country: the store's country.
  ///   - limit: the maximum wait. A later answer is still stored.
  /// - Throws: `CatalogError` if the store does not answer and nothing is stored; `absent` if there are no
  ///   words.
  public func artists(
    named term: String,
    in country: StoreCountry,
    within limit: Duration
  ) async throws(CatalogError) -> AlbumAnswer<[Artist]> {
    guard let question = ITunesQuestion(artistsNamed: term, in: country) else { throw .absent }
    return try await answer(to: question, within: limit).map(\.artists)
  }

  /// The albums of an artist.
  /// - Throws: `CatalogError`; `absent` if the store has no such artist.
  public func discography(
    of artist: StoreID,
    in country: StoreCountry,
    within limit: Duration
  ) async throws(CatalogError) -> AlbumAnswer<Discography> {
    let question = ITunesQuestion(.albums(of: artist), in: country)
    let answer = try await answer(to: question, within: limit)
    if case .here(let rows, _) = answer, !rows.isFound(question) { throw .absent }
    return answer.map { rows in
      Discography(
        artist: rows.artists.first { $0.id == artist },
        albums: rows.albums(in: country),
        prefersClean: settings.prefersClean
      )
    }
  }

  /// An album with its tracks.
  /// - Throws: `CatalogError`; `absent` if the country's store has no such album.
  public func album(
    _ album: StoreID,
    in country: StoreCountry,
    within limit: Duration
  ) async throws(CatalogError) -> AlbumAnswer<AlbumDetails> {
    let question = ITunesQuestion(.tracks(of: album), in: country)
    switch try await answer(to: question, within: limit) {
    case .waiting(let seconds): return .waiting(seconds: seconds)
    case .here(let rows, let age):
      guard let details = rows.album(album, in: country) else { throw .absent }
      return .here(details, .init(fetchedAt: age.fetchedAt, isStale: age.isStale))
    }
  }

  /// A stored album with its tracks, however old; the store is not asked.
  public func storedAlbum(_ album: StoreID, in country: StoreCountry) async -> AlbumDetails? {
    try? await stored(ITunesQuestion(.tracks(of: album), in: country))?.answer.album(album, in: country)
  }

  func cancelAll() async {
    await work.cancelAll()
    await covers.work.cancelAll()
    await articles.work.cancelAll()
  }

  /// Logs database errors, which readers can't fix.
  func note(_ error: any Error) {
    guard case .store(let fault) = CatalogError(error) else { return }
    logger.error("What is known of albums can't be read or kept.", metadata: ["error": "\(fault)"])
  }

  /// The stored answer while it is fresh, then the source's, then the stale stored one, then "waiting".
  private func answer(
    to question: ITunesQuestion,
    within limit: Duration
  ) async throws(CatalogError) -> AlbumAnswer<ITunesAnswer> {
    do {
      let stored = try await stored(question)
      if let stored, now().timeIntervalSince(stored.fetchedAt) < question.lifetime(of: stored.answer) {
        return .here(stored.answer, .init(fetchedAt: stored.fetchedAt, isStale: false))
      }
      guard let client else { throw CatalogError.absent }
      let wait = await client.wait(for: question)
      // Don't wait for an answer that can't come in time, but put the question in the queue.
      let timeout = wait < limit ? limit : .milliseconds(50)
      do {
        let isThere = try await withTimeout(timeout) { [self] in
          try await fetch(question, from: client)
        }
        if isThere, let fetched = try await self.stored(question) {
          return .here(fetched.answer, .init(fetchedAt: fetched.fetchedAt, isStale: false))
        }
      } catch {
        guard stored != nil else { throw error }
        note(error)
      }
      if let stored { return .here(stored.answer, .init(fetchedAt: stored.fetchedAt, isStale: true)) }
      let rest = await client.wait(for: question)
      return .waiting(seconds: max(2, rest.wholeSeconds))
    } catch {
      note(error)
      throw CatalogError(error)
    }
  }

  private func stored(_ question: ITunesQuestion) async throws -> Read? {
    if let read = answers[question] { return read }
    guard let stored = try await store.albumAnswer(to: question.key),
      let answer = try? ITunesAnswer(json: stored.body)
    else { return nil }
    let read = Read(answer: answer, fetchedAt: stored.fetchedAt)
    answers.insert(read, for: question, cost: 3 * stored.body.count)
    return read
  }

  /// The stored answer if the new one has lost the album or artist; else the new one.
  ///
  /// The store sometimes denies an album that it sells.
  private func better(
    of body: [UInt8],
    for question: ITunesQuestion
  ) async throws -> (body: [UInt8], answer: ITunesAnswer) {
    let answer = try ITunesAnswer(json: body)
    guard question.kind != .artists, !answer.isFound(question),
      let stored = try await store.albumAnswer(to: question.key),
      let before = try? ITunesAnswer(json: stored.body), before.isFound(question)
    else { return (body, answer) }
    logger.info(
      "The store no longer finds what is stored, which is kept.",
      metadata: ["question": "\(question.key)"]
    )
    return (stored.body, before)
  }

  private func fetch(_ question: ITunesQuestion, from client: ITunesClient) async throws {
    try await work.value(for: question) { [self] in
      try await failures.unlessRecent(question, now: now) {
        let (body, answer) = try await better(of: client.ask(question), for: question)
        let albums = answer.albums(in: question.country).filter { !$0.artworkAddress.isEmpty }
        let stored = StoredAnswer(body: body, fetchedAt: now())
        try await store.save(
          stored,
          kind: question.kind,
          to: question.key,
          artwork: Dictionary(albums.map { ($0.id, $0.artworkAddress.description) }) { $1 }
        )
        answers.insert(
          Read(answer: answer, fetchedAt: stored.fetchedAt),
          for: question,
          cost: 3 * body.count
        )
      }
    }
  }
}

extension ITunesQuestion {
  /// How long an answer counts as fresh, in seconds: a day for searches and empty answers, else 30 days.
  fileprivate func lifetime(of answer: ITunesAnswer) -> TimeInterval {
    let day: TimeInterval = 24 * 3600
    switch subject {
    case .artists: return day
    case .albums, .tracks: return answer.isFound(self) ? 30 * day : day
    }
  }

  fileprivate var kind: StoredAnswer.Kind {
    switch subject {
    case .artists: .artists
    case .albums: .albums
    case .tracks: .tracks
    }
  }
}

extension Duration {
  fileprivate var wholeSeconds: Int {
    Int(components.seconds) + (components.attoseconds > 0 ? 1 : 0)
  }
}
