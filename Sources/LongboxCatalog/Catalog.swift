// Longbox
// SPDX-License-Identifier: MIT

public import Foundation
public import Logging
public import LongboxCore
public import LongboxStore
public import LongboxUpstream
import Synchronization

/// Where comics come from: memory, then the disk, then xkcd.
///
/// While there is no comic, another repository can stand in.
///
/// ``upkeep`` is the service that looks for new comics and fills the store in the background; it must run beside whoever
/// asks the catalog.
public final class Catalog: Sendable {
  /// How much the catalog does of its own accord, and with how much memory.
  public struct Settings: Sendable {
    /// Whether everything is fetched in the background, or only what is asked for.
    public var fills: Bool
    /// How many bytes of pictures are kept in memory.
    public var pictureMemory: Int
    /// When to look for a new comic.
    public var schedule: PollSchedule
    /// How long a first start waits for xkcd.
    public var patience: Duration

    /// Makes settings; what is left out suits a household.
    public init(
      fills: Bool = true,
      pictureMemory: Int = 24 << 20,
      schedule: PollSchedule = PollSchedule(),
      patience: Duration = .milliseconds(1500)
    ) {
      self.fills = fills
      self.pictureMemory = pictureMemory
      self.schedule = schedule
      self.patience = patience
    }
  }

  /// What there is at one moment.
  public struct Snapshot: Sendable {
    /// All comics' text.
    public var archive: Archive
    /// The index of their explanations.
    public var explanationIndex: ExplanationIndex
    /// The search over both.
    public var search: Search
    /// Counts up whenever the archive, or anything else in this snapshot, changes.
    public var generation: Int
    /// Since when xkcd has not answered, where it does not.
    public var downSince: Date?
    /// How far the background fill has come, where something is known of it.
    public var progress: Progress?

    /// The number of xkcd's newest comic; nothing where none is stored, and while samples are shown.
    public var newestComic: Comic.Number? { archive.isSampleBox ? nil : archive.latest?.number }
  }

  /// How much is stored of what there is.
  public struct Progress: Equatable, Sendable {
    /// The comics whose text is stored.
    public var texts: Int
    /// The comics whose picture is stored, or that have none.
    public var pictures: Int
    /// The comics whose explanation is stored.
    public var explanations = 0
    /// What could not be fetched and is tried again later.
    public var failures: Int
    /// The comics that there are.
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

  /// Opens what is stored.
  ///
  /// It asks no source yet.
  /// - Parameters:
  ///   - store: where comics are kept.
  ///   - client: where they come from.
  ///   - explain: where their explanations come from, or nothing to do without.
  ///   - itunes: where albums come from, or nothing to do without.
  ///   - wikipedia: where articles about albums come from, or nothing to do without.
  ///   - albums: what the operator decides about albums.
  ///   - settings: how much it does of its own accord.
  ///   - now: the time.
  ///   - logger: gets what goes wrong.
  /// - Throws: `StoreError` where the store can't be read.
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
  public var upkeep: CatalogUpkeep { CatalogUpkeep(catalog: self) }

  /// What there is now.
  public var snapshot: Snapshot {
    let condition = condition.withLock { $0 }
    // Each is looked at once, or an old archive could be taken for one of a newer generation.
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

  /// Counts up whenever anything in the ``snapshot`` changes.
  public var generation: Int {
    let condition = condition.withLock { ($0.changes, $0.standIn) }
    return comics.generation + (condition.1?.generation ?? 0) + condition.0
  }

  /// The repository that is shown: the catalog's own as soon as it has a comic.
  var shown: ComicRepository {
    guard comics.current.archive.count == 0, let standIn = condition.withLock({ $0.standIn }) else {
      return comics
    }
    return standIn
  }

  /// Gets ready to be asked: where nothing is stored yet, xkcd is asked for its newest comic.
  /// - Returns: whether there is a comic to show. It may still come, where xkcd is slow.
  @discardableResult
  public func prepare() async -> Bool {
    guard comics.current.archive.count == 0 else { return true }
    do {
      return try await Patience.run(for: settings.patience) { [self] in try await checkNewest() }
    } catch {
      logger.notice("xkcd can't be reached, and nothing is stored yet.", metadata: ["error": "\(error)"])
      return false
    }
  }

  /// Shows another repository until there is a comic of the catalog's own; then its store is removed.
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

  /// Makes sure, as far as it can be done soon, that a comic is in the archive.
  /// - Parameters:
  ///   - number: which comic.
  ///   - withPicture: whether its picture should be there too, so that its size is known.
  ///   - limit: how long to wait for a source.
  /// - Throws: `CatalogError` where it is known not to come.
  public func ensure(
    _ number: Comic.Number,
    withPicture: Bool = false,
    within limit: Duration = .seconds(8)
  ) async throws(CatalogError) {
    let repository = shown
    do {
      let isThere = try await Patience.run(for: limit) {
        if withPicture {
          try await repository.ensurePicture(number)
        } else {
          try await repository.ensureRecord(number)
        }
      }
      // Who comes next need not wait as long for a source that may hang.
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
  /// - Throws: `CatalogError.absent` where there is no such comic.
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

  /// A comic's picture from what is nearest.
  /// - Throws: `CatalogError.absent` where there is none.
  public func picture(_ kind: PictureKind, of number: Comic.Number) async throws(CatalogError)
    -> PictureContent
  {
    do {
      return try await shown.picture(kind, of: number)
    } catch {
      throw CatalogError(error)
    }
  }

  /// A comic's picture where it is in memory, else nothing: for who can't wait for the disk.
  public func pictureInMemory(_ kind: PictureKind, of number: Comic.Number) -> PictureContent? {
    shown.pictureInMemory(kind, of: number)
  }

  /// Fetches a comic anew, whatever became of it so far.
  public func reload(_ number: Comic.Number) async throws(CatalogError) {
    do {
      try await comics.store.forgetFailures(of: number)
      try await comics.fetchRecord(number)
      try await comics.fetchPicture(number)
    } catch {
      throw CatalogError(error)
    }
  }

  /// Keeps on the disk what would have to be made anew at the next start.
  public func save() {
    comics.saveArchive()
    comics.saveExplanationIndex()
  }
}
