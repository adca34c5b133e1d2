// Longbox
// SPDX-License-Identifier: MIT

public import Foundation
public import Logging
public import LongboxCore
public import LongboxStore
public import LongboxUpstream
import Synchronization

/// Serves comics from memory, the disk or xkcd.
///
/// It owns xkcd's comics and, until there are any, perhaps a stand-in such as the samples. Readers see one of the two.
/// ``refreshService`` looks for new comics and fills the store. It and ``publishingService`` must run as long as the catalog
/// is in use.
public final class Catalog: Sendable {
  private struct StandIn: Sendable {
    var repository: ComicRepository?
    var changes = 0
  }

  /// xkcd's comics, which background work fills.
  let comics: ComicRepository
  let refresher: Refresher
  let settings: Settings
  let logger: Logger
  private let standIn = Mutex(StandIn())
  private let status = SourceStatus()

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
    comics = try await ComicRepository(
      store: store,
      sources: .init(xkcd: client, explain: explain, itunes: itunes, wikipedia: wikipedia),
      albums: albums,
      inspector: inspector ?? PictureInspector(logger: logger),
      pictureMemory: settings.pictureMemory,
      now: now,
      logger: logger
    )
    refresher = Refresher(comics: comics, status: status)
  }

  // MARK: What readers see

  /// What readers see now.
  public var snapshot: Snapshot {
    let status = status.current
    let standIn = standIn.withLock { $0 }
    // Read each once, or an old archive could be paired with a newer generation.
    let own = comics.current
    let other = standIn.repository?.current
    let shown = own.archive.count == 0 ? other ?? own : own
    return Snapshot(
      archive: shown.archive,
      explanationIndex: shown.explanationIndex,
      search: shown.search,
      generation: own.generation + (other?.generation ?? 0) + standIn.changes + status.changes,
      downSince: status.downSince,
      hasAnswered: status.hasAnswered,
      progress: status.progress
    )
  }

  /// Increases when anything in the ``snapshot`` changes.
  public var generation: Int {
    let standIn = standIn.withLock { $0 }
    return comics.publisher.generation + (standIn.repository?.publisher.generation ?? 0) + standIn.changes
      + status.current.changes
  }

  /// What readers see: xkcd's comics once there are any, until then the stand-in.
  var shown: ComicRepository {
    comics.current.archive.count == 0 ? standIn.withLock { $0.repository } ?? comics : comics
  }

  /// Sends each change once readers see it.
  var broadcaster: ChangeBroadcaster { comics.publisher.broadcaster }

  /// A new subscription to later changes; to miss none, subscribe before you read the ``snapshot``.
  public var changes: CatalogChanges {
    let (inbox, signals) = broadcaster.subscribe()
    return CatalogChanges(catalog: self, inbox: inbox, signals: signals)
  }

  /// Artists and albums.
  public var albums: Albums { shown.albums }

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
    let explanations = shown.explanationCache
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
    let shown = shown
    try await mappingErrors {
      let ensured: Void? = try await withTimeout(limit) {
        if withPicture {
          try await shown.pictures.ensure(number, for: asker)
        } else {
          try await shown.records.ensure(number, for: asker)
        }
      }
      // A client that waits for its own requests says nothing about the source.
      guard ensured == nil, await shown.requests.source.waitingCount(of: asker) == 0 else { return }
      // Later requests need not wait as long for a source that hangs.
      shown.requests.noteFailure(.timedOut(.xkcd, subject: "comic \(number.value)"), for: .record(number))
    }
  }

  /// Waits for a comic's picture, whose fetch goes on after that.
  ///
  /// Unlike in ``ensure(_:withPicture:within:for:)``, a picture that is late doesn't count as a failure of the source.
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
    let pictures = shown.pictures
    return try await mappingErrors {
      try await withTimeout(limit, clock: clock) { try await pictures.ensure(number, for: asker) } != nil
    }
  }

  /// A comic's record exactly as the source sent it.
  /// - Parameters:
  ///   - number: which comic.
  ///   - limit: the maximum wait for the source.
  ///   - asker: the address of the client that asks, whose requests take turns; nil for no turns.
  /// - Throws: `CatalogError.absent` if there is no such comic, `CatalogError.upstream` if it doesn't come in time.
  public func rawRecord(
    _ number: Comic.Number,
    within limit: Duration = .seconds(8),
    for asker: String? = nil
  ) async throws(CatalogError) -> [UInt8] {
    let stored = shown.store.comics
    return try await mappingErrors {
      if let raw = try await stored.rawRecord(number) { return raw }
      try await ensure(number, within: limit, for: asker)
      guard let raw = try await stored.rawRecord(number) else {
        throw UpstreamError.timedOut(.xkcd, subject: "comic \(number.value)")
      }
      return raw
    }
  }

  /// A comic's picture if it is in memory or on the disk.
  public func storedPicture(
    _ kind: PictureKind,
    of number: Comic.Number
  ) async throws(CatalogError) -> PictureContent? {
    let shown = shown
    guard shown.pictures.mayExist(of: number) else { return nil }
    return try await mappingErrors { try await shown.pictureCache.picture(kind, of: number) }
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
    let shown = shown
    guard shown.pictures.mayExist(of: number) else { throw .absent }
    return try await mappingErrors {
      if let stored = try await shown.pictureCache.picture(kind, of: number) { return stored }
      let pictures = shown.pictures
      guard let picture = try await withTimeout(limit, { try await pictures.picture(kind, of: number) })
      else {
        throw UpstreamError.timedOut(.xkcd, subject: "picture of comic \(number.value)")
      }
      return picture
    }
  }

  /// A comic's picture if it is in memory, for callers that can't wait for the disk.
  public func pictureInMemory(_ kind: PictureKind, of number: Comic.Number) -> PictureContent? {
    shown.pictureCache.pictureInMemory(kind, of: number)
  }

  /// Where pictures were found since the start.
  public var pictureCacheCounts: PictureCacheCounts { shown.pictureCache.counts }

  /// Fetches a comic and its picture again, even after failures.
  public func reload(_ number: Comic.Number) async throws(CatalogError) {
    try await mappingErrors {
      try await comics.store.fetches.forgetFailures(of: number)
      try await comics.records.fetch(number)
      try await comics.pictures.fetch(number)
    }
  }

  // MARK: Explanations

  /// The explanation of a comic, without asking explain xkcd.
  /// - Throws: `CatalogError.store`.
  public func explanation(of number: Comic.Number) async throws(CatalogError) -> ExplanationState {
    try await mappingErrors { try await shown.explanationCache.state(of: number) }
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
      try await shown.explanations.explanation(of: number, within: limit, for: asker)
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
      try await shown.store.explanations.explanations(changedSince: change, limit: limit)
        .compactMap(Explanation.init)
    }
  }

  /// Counts of the stored explanations.
  /// - Throws: `CatalogError.store`.
  public func explanationTotals() async throws(CatalogError) -> ExplanationTotals {
    try await mappingErrors { try await shown.explanationCache.totals() }
  }

  // MARK: Start and background work

  /// The service that shows what other nodes have stored, and writes what has changed to the disk.
  ///
  /// It ends the ``changes`` at shutdown.
  public var publishingService: PublishingService { PublishingService(catalog: self) }

  /// The service that asks the sources.
  public var refreshService: RefreshService { RefreshService(self) }

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
    standIn.withLock {
      $0.repository = repository
      $0.changes += 1
    }
    var numbers: Set<Comic.Number> = []
    repository.current.archive.visit { comic in
      numbers.insert(comic.number)
      return true
    }
    broadcaster.send(ChangeSet(newComics: numbers, explanations: numbers))
  }

  /// Removes the stand-in and its store, if the catalog has its own comic.
  func discardStandIn() async {
    guard comics.current.archive.count > 0 else { return }
    let discarded = standIn.withLock { standIn in
      let repository = standIn.repository
      standIn.repository = nil
      // The generation must not decrease when the stand-in's part is removed.
      if let repository { standIn.changes += repository.publisher.generation + 1 }
      return repository
    }
    await discarded?.discard()
  }

  /// Writes the archive and the explanation index to the disk, for a faster next start.
  public func save() { comics.publisher.save() }
}

extension Catalog {
  /// The catalog's background work and memory.
  public struct Settings: Sendable {
    /// Whether to fetch all comics in the background, or only those that readers open.
    public var fills: Bool
    /// The most bytes of pictures in memory.
    public var pictureMemory: Int
    /// When to look for a new comic.
    public var schedule: PollSchedule
    /// How long a first start waits for xkcd.
    public var timeout: Duration

    /// Makes settings; the defaults suit a household.
    public init(
      fills: Bool = true,
      pictureMemory: Int = 24 << 20,
      schedule: PollSchedule = PollSchedule(),
      timeout: Duration = .milliseconds(1500)
    ) {
      self.fills = fills
      self.pictureMemory = pictureMemory
      self.schedule = schedule
      self.timeout = timeout
    }
  }

  /// What readers see at one point in time.
  public struct Snapshot: Sendable {
    /// All comics' text.
    public var archive: Archive
    /// The index of their explanations.
    public var explanationIndex: ExplanationIndex
    public var search: Search
    /// Increases when anything in the snapshot changes.
    public var generation: Int
    /// Since when xkcd has been down, or nil.
    public var downSince: Date?
    /// Whether xkcd has answered since the start.
    public var hasAnswered: Bool
    /// The progress of the background fill, if known.
    public var progress: FillProgress?

    /// The number of xkcd's newest comic; nil if none is stored or samples are shown.
    public var newestComic: Comic.Number? { archive.isSampleBox ? nil : archive.latest?.number }
  }
}
