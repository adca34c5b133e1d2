// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import Logging
import LongboxCore
import LongboxStore
import LongboxUpstream
import Synchronization

/// Comics and albums in one store: records, pictures, explanations, and the archive built from them.
///
/// Requests are answered from memory, the disk or the source. The sample box is another repository, whose
/// sources are files: ``SampleBox/repository(from:in:settings:now:logger:)``.
public final class ComicRepository: Sendable {
  struct Published: Sendable {
    var archive: Archive
    var explanationIndex: ExplanationIndex
    var search: Search
    var newest: Comic.Number?
    /// Increases with each change, so that caches can tell whether they are stale.
    var generation: Int

    mutating func show(_ archive: Archive, _ search: Search) {
      self.archive = archive
      self.search = search
      newest = [newest, archive.latest?.number].compactMap { $0 }.max()
      generation += 1
    }
  }

  /// A thing of a comic, as the key for joining equal requests.
  enum Wanted: Hashable {
    case newest
    case record(Comic.Number)
    case picture(Comic.Number)
    case doubleSize(Comic.Number)
    case thumbnail(Comic.Number)

    init(_ thing: FetchedThing, of number: Comic.Number) {
      self =
        switch thing {
        case .record: .record(number)
        case .picture: .picture(number)
        case .doubleSize: .doubleSize(number)
        }
    }
  }

  let store: Store
  let client: XkcdClient
  let albums: Albums
  /// The first comic that may have a double-size picture; requests for earlier ones would be wasted.
  let firstDoubleSize: Comic.Number
  let workshop: PictureWorkshop
  let now: @Sendable () -> Date
  let logger: Logger
  let work = SingleFlight<Wanted, Void>()
  let failures = NegativeCache<Wanted>()
  let outage = CircuitBreaker<Wanted>()
  let explanations: Explanations
  /// Sends each change once readers see it.
  let broadcaster: ChangeBroadcaster
  let published: Mutex<Published>
  let suspect = Mutex<Suspect?>(nil)
  private let file: ArchiveFile
  /// The revision of the archive file, or nil if it is missing or unusable.
  private let savedRevision: Mutex<Int?>
  /// The revision of the explanation index's file, or nil if it is missing or unusable.
  let savedIndexRevision: Mutex<Int?>
  private let pictures: MemoryCache<PictureKey, PictureContent>
  private let publisher = SerialQueue()
  let indexer = SerialQueue()

  private struct PictureKey: Hashable {
    var number: Comic.Number
    var kind: PictureKind
  }

  /// Opens the stored comics.
  /// - Parameters:
  ///   - blank: an empty archive, marked as samples if the comics are.
  ///   - firstDoubleSize: the first comic that may have a double-size picture.
  /// - Throws: `StoreError` if the store can't be read.
  init(
    store: Store,
    client: XkcdClient,
    explain: ExplainClient?,
    albums: Albums,
    blank: Archive,
    firstDoubleSize: Comic.Number,
    pictureMemory: Int,
    workshop: PictureWorkshop,
    broadcaster: ChangeBroadcaster,
    now: @escaping @Sendable () -> Date,
    logger: Logger
  ) async throws {
    self.store = store
    self.client = client
    self.albums = albums
    self.firstDoubleSize = firstDoubleSize
    self.workshop = workshop
    self.broadcaster = broadcaster
    self.now = now
    self.logger = logger
    explanations = Explanations(store: store, client: explain, memoryLimit: 4 << 20, now: now)
    pictures = MemoryCache(limit: pictureMemory)
    file = ArchiveFile(location: store.folder.appending(path: ArchiveFile.name))
    let stored = file.read()
    let revision = try await store.revision()
    var archive = stored ?? blank
    if archive.revision > revision.value {
      // The file belongs to another database: a backup was restored, or the database was moved away.
      file.remove()
      archive = blank
    }
    let newest = try await store.newestCheck()?.newest
    savedRevision = Mutex(archive.revision == 0 ? nil : archive.revision)
    let totals = try await store.explanationTotals()
    let storedIndex = ExplanationIndexFile(in: store.folder).read(for: totals)
    let index = try storedIndex ?? .empty(isSampleBox: blank.isSampleBox)
    savedIndexRevision = Mutex(storedIndex?.revision)
    published = Mutex(
      Published(
        archive: archive,
        explanationIndex: index,
        search: Search(archive: archive, explanations: index),
        newest: newest,
        generation: 0
      )
    )
    try await publish()
    guard stored != nil, try await store.count() != current.archive.count else { return }
    // The other database has more revisions than the archive, but not its comics.
    file.remove()
    savedRevision.withLock { $0 = nil }
    published.withLock { $0.show(blank, Search(archive: blank, explanations: index)) }
    try await publish()
  }

  var current: Published { published.withLock { $0 } }

  var generation: Int { published.withLock { $0.generation } }

  func publish() async throws {
    try await publisher.run { [self] in
      let before = current
      let revision = try await store.revision()
      guard revision.value > before.archive.revision else { return }
      let changed = try await store.changes(since: Revision(before.archive.revision))
      // Changes since `revision` was read come too. The next delta repeats them, which is harmless.
      let archive = try before.archive.updated(with: changed, to: revision.value)
      let otherwise = archive.changed(since: before.archive, among: changed.comics.map(\.number))
      if !otherwise.isEmpty { try await store.noteChanges(of: otherwise, at: now()) }
      let search = Search(archive: archive, explanations: before.explanationIndex)
      published.withLock { $0.show(archive, search) }
      // A comic that can't be decoded is stored, but not in the archive.
      let shown = Set(changed.comics.map(\.number)).filter { archive.comic($0) != nil }
      let known = shown.filter { before.archive.comic($0) != nil }
      broadcaster.send(ChangeSet(newComics: shown.subtracting(known), changedComics: known))
    }
  }

  func show(_ index: ExplanationIndex) async throws {
    try await publisher.run { [self] in
      let search = Search(archive: current.archive, explanations: index)
      published.withLock { published in
        published.explanationIndex = index
        published.search = search
        published.generation += 1
      }
    }
  }

  func saveArchive() {
    let archive = current.archive
    guard savedRevision.withLock({ $0 != archive.revision }) else { return }
    do {
      try file.write(archive)
      savedRevision.withLock { $0 = archive.revision }
    } catch {
      logger.warning(
        "The archive could not be written; it will be built again at the next start.",
        metadata: ["error": "\(error)"]
      )
    }
  }

  func discard() {
    try? store.close()
    try? FileManager.default.removeItem(at: store.folder)
  }

  func rawRecord(_ number: Comic.Number) async throws -> [UInt8]? {
    try await store.rawRecord(number)
  }

  func storedPicture(_ kind: PictureKind, of number: Comic.Number) async throws -> PictureContent? {
    let key = PictureKey(number: number, kind: kind)
    if let content = pictures[key] { return content }
    guard
      let stored = try await store.picture(kind, of: number),
      let bytes = try await store.bytes(of: stored)
    else { return nil }
    let content = PictureContent(stored, bytes: bytes)
    pictures.insert(content, for: key, cost: bytes.count)
    return content
  }

  func pictureInMemory(_ kind: PictureKind, of number: Comic.Number) -> PictureContent? {
    pictures[PictureKey(number: number, kind: kind)]
  }

  /// Removes a comic's pictures from memory, after the disk has new ones.
  func forgetPictures(of number: Comic.Number) {
    for kind in PictureKind.allCases { pictures.remove(PictureKey(number: number, kind: kind)) }
  }

  func forgetPictures() {
    pictures.removeAll()
  }
}
