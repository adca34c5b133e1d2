// Longbox
// SPDX-License-Identifier: MIT

public import Foundation
public import Logging
public import LongboxCore
public import LongboxStore
public import LongboxUpstream
import Synchronization

/// Where comics come from: memory, then the disk, then xkcd; and where xkcd can't be reached and nothing of it is
/// stored, the sample box.
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
    /// How long a first start waits for xkcd before it shows the sample box.
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
    var samples: Collection?
    var sampleAlbums: Albums?
  }

  let comics: Collection
  let realAlbums: Albums
  let settings: Settings
  let logger: Logger
  let now: @Sendable () -> Date
  let condition = Mutex(Condition())

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
  ///   - logger: is told what goes wrong.
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
    comics = try await Collection(
      store: store,
      client: client,
      explain: explain,
      isSampleBox: false,
      pictureMemory: settings.pictureMemory,
      workshop: PictureWorkshop(),
      now: now,
      logger: logger
    )
    realAlbums = Albums(
      store: store,
      client: itunes,
      wikipedia: wikipedia,
      settings: albums,
      now: now,
      logger: logger
    )
  }

  /// Artists and albums: the real ones, or those of the sample box where that is shown.
  public var albums: Albums {
    guard comics.current.archive.count == 0 else { return realAlbums }
    return condition.withLock { $0.sampleAlbums } ?? realAlbums
  }

  /// The service that keeps the catalog up to date.
  public var upkeep: CatalogUpkeep { CatalogUpkeep(catalog: self) }

  /// What there is now.
  public var snapshot: Snapshot {
    let condition = condition.withLock { $0 }
    // Each is looked at once, or an old archive could be taken for one of a newer generation.
    let real = comics.current
    let samples = condition.samples?.current
    let shown = real.archive.count == 0 ? samples ?? real : real
    return Snapshot(
      archive: shown.archive,
      explanationIndex: shown.explanationIndex,
      search: shown.search,
      generation: real.generation + (samples?.generation ?? 0) + condition.changes,
      downSince: condition.downSince,
      progress: condition.progress
    )
  }

  /// Counts up whenever anything in the ``snapshot`` changes.
  public var generation: Int {
    let condition = condition.withLock { ($0.changes, $0.samples) }
    return comics.generation + (condition.1?.generation ?? 0) + condition.0
  }

  /// The collection that is shown: the real one as soon as it has a comic.
  var shown: Collection {
    guard comics.current.archive.count == 0, let samples = condition.withLock({ $0.samples }) else {
      return comics
    }
    return samples
  }

  /// Gets ready to be asked.
  ///
  /// Where nothing is stored yet, xkcd is asked for its newest comic; where it does not answer soon, the
  /// sample box is opened.
  /// - Parameter samples: the folder with the sample box, or nothing to do without.
  public func prepare(samples: URL? = SampleBox.folder) async {
    guard comics.current.archive.count == 0 else { return }
    do {
      let answered = try await Patience.run(for: settings.patience) { [self] in try await checkNewest() }
      if answered { return }
    } catch {
      logger.notice(
        "xkcd can't be reached, and nothing is stored yet: the sample box is shown.",
        metadata: ["error": "\(error)"]
      )
    }
    guard let samples else { return }
    do {
      try await openSamples(samples)
    } catch {
      logger.error("The sample box can't be opened.", metadata: ["error": "\(error)"])
    }
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
    let collection = shown
    do {
      let isThere = try await Patience.run(for: limit) {
        if withPicture {
          try await collection.ensurePicture(number)
        } else {
          try await collection.ensureRecord(number)
        }
      }
      // Who comes next need not wait as long for a source that may hang.
      if !isThere {
        collection.outage.note(
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
    let collection = shown
    do {
      if let raw = try await collection.rawRecord(number) { return raw }
      try await ensure(number)
      guard let raw = try await collection.rawRecord(number) else { throw CatalogError.absent }
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
