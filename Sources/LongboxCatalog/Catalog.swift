// Longbox
// SPDX-License-Identifier: MIT

public import Foundation
public import Logging
public import LongboxCore
public import LongboxStore
public import LongboxUpstream

/// Serves comics from memory, the disk or xkcd.
///
/// While there are no comics, another repository can stand in. ``refreshService`` looks for new comics and
/// fills the store. It and ``publishingService`` must run as long as the catalog is in use.
///
/// This type composes the parts and forwards to them; each part does one thing.
public final class Catalog: Sendable {
  let comics: ComicRepository
  let broadcaster = ChangeBroadcaster()
  let refresher: Refresher
  let shown: ShownComics
  private let status = SourceStatus()
  private let settings: Settings
  private let logger: Logger

  /// Opens the stored comics; no source is asked yet.
  /// - Parameters:
  ///   - store: the database.
  ///   - client: asks xkcd.
  ///   - explain: asks explain xkcd, or nil for no explanations.
  ///   - itunes: asks the iTunes Store, or nil for no albums.
  ///   - wikipedia: asks Wikipedia, or nil for no articles about albums.
  ///   - albums: the operator's settings for albums.
  ///   - inspector: decodes pictures; nil for one of its own.
  ///   - settings: background work and memory.
  ///   - now: the time.
  ///   - logger: logs failures.
  /// - Throws: `StoreError` if the store can't be read.
  public init(
    store: Store,
    client: XkcdClient,
    explain: ExplainClient? = nil,
    itunes: ITunesClient? = nil,
    wikipedia: WikipediaClient? = nil,
    albums: Albums.Settings = Albums.Settings(),
    inspector: PictureInspector? = nil,
    settings: Settings = Settings(),
    now: @escaping @Sendable () -> Date = { Date() },
    logger: Logger
  ) async throws {
    self.settings = settings
    self.logger = logger
    let inspector = inspector ?? PictureInspector(logger: logger)
    comics = try await ComicRepository(
      store: store,
      client: client,
      explain: explain,
      albums: Albums(
        store: store,
        client: itunes,
        wikipedia: wikipedia,
        inspector: inspector,
        settings: albums,
        now: now,
        logger: logger
      ),
      inspector: inspector,
      blank: .blank(isSampleBox: false),
      firstDoubleSize: Comic.Number(1084) ?? .first,
      pictureMemory: settings.pictureMemory,
      broadcaster: broadcaster,
      now: now,
      logger: logger
    )
    shown = ShownComics(own: comics)
    refresher = Refresher(comics: comics, status: status, now: now)
  }

  // MARK: What readers see

  /// What readers see now.
  public var snapshot: Snapshot {
    let status = status.current
    let shown = shown.current
    return Snapshot(
      archive: shown.archive,
      explanationIndex: shown.explanationIndex,
      search: shown.search,
      generation: shown.generation + status.changes,
      downSince: status.downSince,
      hasAnswered: status.hasAnswered,
      progress: status.progress
    )
  }

  /// Increases when anything in the ``snapshot`` changes.
  public var generation: Int { status.current.changes + shown.generation }

  /// A new subscription to later changes; to miss none, subscribe before you read the ``snapshot``.
  public var changes: CatalogChanges {
    let (inbox, signals) = broadcaster.subscribe()
    return CatalogChanges(catalog: self, inbox: inbox, signals: signals)
  }

  /// Artists and albums.
  public var albums: Albums { shown.repository.albums }

  /// Answers a question, with snippets from the explanations that can be read.
  /// - Parameters:
  ///   - question: the question.
  ///   - snapshot: what to search.
  ///   - run: runs a search, which may take long.
  public func results(
    for question: SearchQuestion,
    in snapshot: Snapshot,
    running run: (@escaping @Sendable () -> SearchResults) async throws -> SearchResults
  ) async rethrows -> SearchResults {
    let explanations = shown.repository.explanations
    return try await snapshot.search.results(for: question, running: run) { number in
      guard case .stored(let explanation)? = try? await explanations.state(of: number) else { return nil }
      return explanation.document.plainText
    }
  }

  // MARK: Comics and pictures

  /// Tries to get a comic into the archive.
  /// - Parameters:
  ///   - number: which comic.
  ///   - withPicture: whether to fetch its picture too, so that its size is known.
  ///   - limit: the maximum wait for a source.
  ///   - asker: the address of the client that asks, whose requests take turns; nil for no turns.
  /// - Throws: `CatalogError` if it can't be fetched.
  public func ensure(
    _ number: Comic.Number,
    withPicture: Bool = false,
    within limit: Duration = .seconds(8),
    for asker: String? = nil
  ) async throws(CatalogError) {
    try await mappingErrors {
      try await shown.repository.ensure(number, withPicture: withPicture, within: limit, for: asker)
    }
  }

  /// Waits for a comic's picture, whose fetch goes on after that.
  /// - Parameters:
  ///   - number: which comic.
  ///   - limit: the maximum wait.
  ///   - clock: measures the wait.
  ///   - asker: the address of the client that asks, whose requests take turns; nil for no turns.
  /// - Returns: whether the picture came within the limit, so that its size is known.
  /// - Throws: `CatalogError` if it can't be fetched.
  public func awaitPicture(
    of number: Comic.Number,
    within limit: Duration,
    clock: any Clock<Duration>,
    for asker: String? = nil
  ) async throws(CatalogError) -> Bool {
    try await mappingErrors {
      try await shown.repository.awaitPicture(of: number, within: limit, clock: clock, for: asker)
    }
  }

  /// A comic's record exactly as the source sent it.
  /// - Throws: `CatalogError.absent` if there is no such comic.
  public func rawRecord(_ number: Comic.Number) async throws(CatalogError) -> [UInt8] {
    let repository = shown.repository
    return try await mappingErrors {
      if let raw = try await repository.store.comics.rawRecord(number) { return raw }
      try await ensure(number)
      guard let raw = try await repository.store.comics.rawRecord(number) else { throw CatalogError.absent }
      return raw
    }
  }

  /// A comic's picture if it is in memory or on the disk.
  public func storedPicture(
    _ kind: PictureKind,
    of number: Comic.Number
  ) async throws(CatalogError) -> PictureContent? {
    try await mappingErrors {
      let repository = shown.repository
      guard repository.mayHavePicture(number) else { return nil }
      return try await repository.pictureCache.picture(kind, of: number)
    }
  }

  /// A comic's picture, from memory, the disk or the source.
  /// - Parameters:
  ///   - kind: which picture.
  ///   - number: which comic.
  ///   - limit: the maximum wait. A picture that comes later is still stored.
  /// - Throws: `CatalogError.absent` if there is none.
  public func picture(
    _ kind: PictureKind,
    of number: Comic.Number,
    within limit: Duration = .seconds(20)
  ) async throws(CatalogError) -> PictureContent {
    try await mappingErrors {
      let repository = shown.repository
      guard repository.mayHavePicture(number) else { throw CatalogError.absent }
      if let stored = try await repository.pictureCache.picture(kind, of: number) { return stored }
      let fetcher = repository.pictureFetcher
      guard let picture = try await withTimeout(limit, { try await fetcher.picture(kind, of: number) }) else {
        throw UpstreamError.timedOut(.xkcd, subject: "picture of comic \(number.value)")
      }
      return picture
    }
  }

  /// A comic's picture if it is in memory, for callers that can't wait for the disk.
  public func pictureInMemory(_ kind: PictureKind, of number: Comic.Number) -> PictureContent? {
    shown.repository.pictureCache.pictureInMemory(kind, of: number)
  }

  /// Where pictures were found since the start.
  public var pictureCacheCounts: PictureCacheCounts { shown.repository.pictureCache.counts }

  /// Fetches a comic and its picture again, even after failures.
  public func reload(_ number: Comic.Number) async throws(CatalogError) {
    try await mappingErrors { try await comics.reload(number) }
  }

  // MARK: Explanations

  /// The explanation of a comic, without asking explain xkcd.
  /// - Throws: `CatalogError.store`.
  public func explanation(of number: Comic.Number) async throws(CatalogError) -> ExplanationState {
    try await mappingErrors { try await shown.repository.explanations.state(of: number) }
  }

  /// The explanation of a comic; if it is unknown, explain xkcd is asked.
  /// - Parameters:
  ///   - number: which comic.
  ///   - limit: the maximum wait. A later answer is still stored.
  ///   - asker: the address of the client that asks, whose requests take turns; nil for no turns.
  /// - Returns: ``ExplanationState/unknown`` if it did not come in time.
  /// - Throws: `CatalogError` if the wiki does not answer.
  public func explanation(
    of number: Comic.Number,
    within limit: Duration,
    for asker: String? = nil
  ) async throws(CatalogError) -> ExplanationState {
    try await mappingErrors {
      try await shown.repository.explanationFetcher.explanation(of: number, within: limit, for: asker)
    }
  }

  /// The explanations that have changed, in the order of the changes.
  /// - Parameters:
  ///   - change: the last change that the caller knows; 0 for all.
  ///   - limit: the most explanations.
  /// - Throws: `CatalogError.store`.
  public func explanations(
    changedSince change: Int,
    limit: Int
  ) async throws(CatalogError) -> [Explanation] {
    try await mappingErrors {
      try await shown.repository.store.explanations.explanations(changedSince: change, limit: limit)
        .compactMap(Explanation.init)
    }
  }

  /// Counts of the stored explanations.
  /// - Throws: `CatalogError.store`.
  public func explanationTotals() async throws(CatalogError) -> ExplanationTotals {
    try await mappingErrors { try await shown.repository.explanations.totals() }
  }

  // MARK: Start and background work

  /// The service that shows what other nodes have stored, and writes what has changed to the disk.
  ///
  /// It ends the ``changes`` at shutdown.
  public var publishingService: PublishingService {
    let follower = comics.store.cluster.map { cluster in
      NodeUpdater(comics: comics, shown: shown, refresher: refresher, cluster: cluster, logger: logger)
    }
    return PublishingService(comics: comics, broadcaster: broadcaster, follower: follower)
  }

  /// The service that asks the sources.
  public var refreshService: RefreshService {
    RefreshService(
      comics: comics,
      shown: shown,
      refresher: refresher,
      settings: settings,
      now: refresher.now,
      logger: logger
    )
  }

  /// The service that fetches what readers of other nodes wait for; nil with SQLite, which serves one node only.
  public var leaderRequestService: LeaderRequestService? {
    comics.store.cluster.map { LeaderRequestService(comics: comics, cluster: $0, logger: logger) }
  }

  /// Asks xkcd for its newest comic if nothing is stored yet.
  /// - Returns: whether there is a comic to show. If xkcd is slow, it may still come.
  @discardableResult
  public func prepare() async -> Bool {
    guard comics.current.archive.count == 0 else { return true }
    do {
      return try await withTimeout(settings.timeout) { [self] in try await refresher.checkNewest() } != nil
    } catch {
      logger.notice("xkcd can't be reached, and nothing is stored yet.", metadata: ["error": "\(error)"])
      return false
    }
  }

  /// Shows another repository until the catalog has its own comic.
  ///
  /// Then the other repository's store is removed.
  public func show(standIn repository: ComicRepository) {
    shown.show(standIn: repository)
    var numbers: Set<Comic.Number> = []
    repository.current.archive.visit { comic in
      numbers.insert(comic.number)
      return true
    }
    broadcaster.send(ChangeSet(newComics: numbers, explanations: numbers))
  }

  /// Writes the archive and the explanation index to the disk, for a faster next start.
  public func save() { comics.save() }
}
