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
/// While there are no comics, another repository can stand in.
///
/// ``refreshService`` looks for new comics and fills the store. It must run as long as the catalog is in use.
public final class Catalog: Sendable {
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
    /// The search over both.
    public var search: Search
    /// Increases when anything in the snapshot changes.
    public var generation: Int
    /// Since when xkcd has been down, or nil.
    public var downSince: Date?
    /// The progress of the background fill, if known.
    public var progress: Progress?

    /// The number of xkcd's newest comic; nil if none is stored or samples are shown.
    public var newestComic: Comic.Number? { archive.isSampleBox ? nil : archive.latest?.number }
  }

  /// How many comics are stored.
  public struct Progress: Equatable, Sendable {
    /// The comics whose text is stored.
    public var texts: Int
    /// The comics whose picture is stored, or that have none.
    public var pictures: Int
    /// The comics whose explanation is stored.
    public var explanations = 0
    /// Failed downloads, to be tried again later.
    public var failures: Int
    /// All comics that exist.
    public var total: Int
  }

  struct Condition: Sendable {
    var downSince: Date?
    var progress: Progress?
    var changes = 0
    var standIn: ComicRepository?
  }

  let comics: ComicRepository
  let settings: Settings
  let logger: Logger
  let now: @Sendable () -> Date
  let condition = Mutex(Condition())
  let broadcaster = ChangeBroadcaster()

  /// Opens the stored comics; no source is asked yet.
  /// - Parameters:
  ///   - store: the database.
  ///   - client: asks xkcd.
  ///   - explain: asks explain xkcd, or nil for no explanations.
  ///   - itunes: asks the iTunes Store, or nil for no albums.
  ///   - wikipedia: asks Wikipedia, or nil for no articles about albums.
  ///   - albums: the operator's settings for albums.
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
    settings: Settings = Settings(),
    now: @escaping @Sendable () -> Date = { Date() },
    logger: Logger
  ) async throws {
    self.settings = settings
    self.logger = logger
    self.now = now
    comics = try await ComicRepository(
      store: store,
      client: client,
      explain: explain,
      albums: Albums(
        store: store,
        client: itunes,
        wikipedia: wikipedia,
        settings: albums,
        now: now,
        logger: logger
      ),
      blank: .blank(isSampleBox: false),
      firstDoubleSize: Comic.Number(1084) ?? .first,
      pictureMemory: settings.pictureMemory,
      workshop: PictureWorkshop(),
      broadcaster: broadcaster,
      now: now,
      logger: logger
    )
  }

  /// Artists and albums.
  public var albums: Albums { shown.albums }

  /// The service that keeps the catalog up to date.
  public var refreshService: RefreshService { RefreshService(catalog: self) }

  /// What readers see now.
  public var snapshot: Snapshot {
    let condition = condition.withLock { $0 }
    // Read each once, or an old archive could be paired with a newer generation.
    let real = comics.current
    let standIn = condition.standIn?.current
    let shown = real.archive.count == 0 ? standIn ?? real : real
    return Snapshot(
      archive: shown.archive,
      explanationIndex: shown.explanationIndex,
      search: shown.search,
      generation: real.generation + (standIn?.generation ?? 0) + condition.changes,
      downSince: condition.downSince,
      progress: condition.progress
    )
  }

  /// Increases when anything in the ``snapshot`` changes.
  public var generation: Int {
    let condition = condition.withLock { ($0.changes, $0.standIn) }
    return comics.generation + (condition.1?.generation ?? 0) + condition.0
  }

  /// The repository that readers see: the catalog's own once it has a comic.
  var shown: ComicRepository {
    guard comics.current.archive.count == 0, let standIn = condition.withLock({ $0.standIn }) else {
      return comics
    }
    return standIn
  }

  /// Asks xkcd for its newest comic if nothing is stored yet.
  /// - Returns: whether there is a comic to show. If xkcd is slow, it may still come.
  @discardableResult
  public func prepare() async -> Bool {
    guard comics.current.archive.count == 0 else { return true }
    do {
      return try await withTimeout(settings.timeout) { [self] in try await checkNewest() }
    } catch {
      logger.notice("xkcd can't be reached, and nothing is stored yet.", metadata: ["error": "\(error)"])
      return false
    }
  }

  /// Shows another repository until the catalog has a comic of its own, which removes the other's store.
  public func show(standIn repository: ComicRepository) {
    condition.withLock {
      $0.standIn = repository
      $0.changes += 1
    }
    var numbers: Set<Comic.Number> = []
    repository.current.archive.visit { comic in
      numbers.insert(comic.number)
      return true
    }
    broadcaster.send(ChangeSet(newComics: numbers, explanations: numbers))
  }

  /// Tries to get a comic into the archive.
  /// - Parameters:
  ///   - number: which comic.
  ///   - withPicture: whether to fetch its picture too, so that its size is known.
  ///   - limit: the maximum wait for a source.
  /// - Throws: `CatalogError` if it can't be fetched.
  public func ensure(
    _ number: Comic.Number,
    withPicture: Bool = false,
    within limit: Duration = .seconds(8)
  ) async throws(CatalogError) {
    let repository = shown
    do {
      let isThere = try await withTimeout(limit) {
        if withPicture {
          try await repository.ensurePicture(number)
        } else {
          try await repository.ensureRecord(number)
        }
      }
      // Later requests need not wait as long for a source that hangs.
      if !isThere {
        repository.outage.note(
          .timedOut(.xkcd, subject: "comic \(number.value)"),
          for: .record(number),
          at: now()
        )
      }
    } catch {
      throw CatalogError(error)
    }
  }

  /// A comic's record exactly as the source sent it.
  /// - Throws: `CatalogError.absent` if there is no such comic.
  public func rawRecord(_ number: Comic.Number) async throws(CatalogError) -> [UInt8] {
    let repository = shown
    do {
      if let raw = try await repository.rawRecord(number) { return raw }
      try await ensure(number)
      guard let raw = try await repository.rawRecord(number) else { throw CatalogError.absent }
      return raw
    } catch {
      throw CatalogError(error)
    }
  }

  /// A comic's picture, from memory, the disk or the source.
  /// - Throws: `CatalogError.absent` if there is none.
  public func picture(_ kind: PictureKind, of number: Comic.Number) async throws(CatalogError)
    -> PictureContent
  {
    do {
      return try await shown.picture(kind, of: number)
    } catch {
      throw CatalogError(error)
    }
  }

  /// A comic's picture if it is in memory, for callers that can't wait for the disk.
  public func pictureInMemory(_ kind: PictureKind, of number: Comic.Number) -> PictureContent? {
    shown.pictureInMemory(kind, of: number)
  }

  /// Fetches a comic and its picture again, even after failures.
  public func reload(_ number: Comic.Number) async throws(CatalogError) {
    do {
      try await comics.store.forgetFailures(of: number)
      try await comics.fetchRecord(number)
      try await comics.fetchPicture(number)
    } catch {
      throw CatalogError(error)
    }
  }

  /// Writes the archive and the explanation index to the disk, for a faster next start.
  public func save() {
    comics.saveArchive()
    comics.saveExplanationIndex()
  }
}
