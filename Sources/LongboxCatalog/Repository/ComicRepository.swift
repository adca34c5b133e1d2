// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import Logging
import LongboxCore
import LongboxStore
import LongboxUpstream
import Synchronization

/// Comics and albums from their sources in one store: records, pictures, explanations, and the archive made of them.
///
/// A question is answered from what is nearest: memory, then the disk, then the source. The sample box is another repository, whose
/// sources are files: ``SampleBox/repository(from:in:settings:now:logger:)``.
public final class ComicRepository: Sendable {
  /// What is shown now.
  struct Published: Sendable {
    var archive: Archive
    /// The index of their explanations.
    var explanationIndex: ExplanationIndex
    /// The search over both.
    var search: Search
    /// The newest number that the source is known to have.
    var newest: Comic.Number?
    /// Counts up with each change, so that whatever is made of the archive can tell whether it is old.
    var generation: Int

    /// Puts an archive, and the search over it, in the place of those that are shown.
    mutating func show(_ archive: Archive, _ search: Search) {
      self.archive = archive
      self.search = search
      newest = [newest, archive.latest?.number].compactMap { $0 }.max()
      generation += 1
    }
  }

  /// A thing of a comic, for joining those who want it at the same time.
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
  /// The first comic with a picture of twice the resolution; asking for those of earlier ones would be a waste.
  let firstDoubleSize: Comic.Number
  let workshop: PictureWorkshop
  let now: @Sendable () -> Date
  let logger: Logger
  let work = SharedWork<Wanted, Void>()
  let failures = RecentFailures<Wanted>()
  let outage = SourceOutage<Wanted>()
  let explanations: Explanations
  /// Is told of each change once readers see it.
  let broadcaster: ChangeBroadcaster
  let published: Mutex<Published>
  /// The comic at which the fill last found the source down.
  let suspect = Mutex<Suspect?>(nil)
  private let file: ArchiveFile
  /// The revision of the archive in the file, or nothing where there is none that can be used.
  private let savedRevision: Mutex<Int?>
  /// The revision of the index of explanations in its file, or nothing where there is none that can be used.
  let savedIndexRevision: Mutex<Int?>
  private let pictures: MemoryCache<PictureKey, PictureContent>
  private let publisher = Serial()
  let indexer = Serial()

  private struct PictureKey: Hashable {
    var number: Comic.Number
    var kind: PictureKind
  }

  /// Opens what is stored.
  /// - Parameters:
  ///   - blank: an archive without a comic, marked as samples where the comics are.
  ///   - firstDoubleSize: the first comic that may have a picture of twice the resolution.
  /// - Throws: `StoreError` where the store can't be read.
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
      // It was made of another database: a backup was put back, or the database was moved away.
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
    // The other database has more revisions than the archive's, but not its comics.
    file.remove()
    savedRevision.withLock { $0 = nil }
    published.withLock { $0.show(blank, Search(archive: blank, explanations: index)) }
    try await publish()
  }

  /// What is shown now.
  var current: Published { published.withLock { $0 } }

  /// Counts up with each change of what is shown.
  var generation: Int { published.withLock { $0.generation } }

  /// Takes what has changed in the store into the archive.
  func publish() async throws {
    try await publisher.run { [self] in
      let before = current
      let revision = try await store.revision()
      guard revision.value > before.archive.revision else { return }
      let changed = try await store.changes(since: Revision(before.archive.revision))
      // What changed between the two questions is in `changed` and comes once more with the next delta: no harm.
      let archive = try before.archive.updated(with: changed, to: revision.value)
      let otherwise = archive.changed(since: before.archive, among: changed.comics.map(\.number))
      if !otherwise.isEmpty { try await store.noteChanges(of: otherwise, at: now()) }
      let search = Search(archive: archive, explanations: before.explanationIndex)
      published.withLock { $0.show(archive, search) }
      // One that can't be decoded is stored, but not in the archive.
      let shown = Set(changed.comics.map(\.number)).filter { archive.comic($0) != nil }
      let known = shown.filter { before.archive.comic($0) != nil }
      broadcaster.send(ChangeSet(newComics: shown.subtracting(known), changedComics: known))
    }
  }

  /// Puts an index of explanations in the place of the one that is searched.
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

  /// Writes the archive to the disk, where it has changed since it was read or written.
  func saveArchive() {
    let archive = current.archive
    guard savedRevision.withLock({ $0 != archive.revision }) else { return }
    do {
      try file.write(archive)
      savedRevision.withLock { $0 = archive.revision }
    } catch {
      logger.warning(
        "The archive could not be written; it will be made anew at the next start.",
        metadata: ["error": "\(error)"]
      )
    }
  }

  /// Lets go of the store and removes its folder.
  func discard() {
    try? store.close()
    try? FileManager.default.removeItem(at: store.folder)
  }

  /// The record of a comic exactly as the source sent it.
  func rawRecord(_ number: Comic.Number) async throws -> [UInt8]? {
    try await store.rawRecord(number)
  }

  /// A picture from memory, else from the disk, else nothing.
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

  /// A picture from memory, else nothing.
  func pictureInMemory(_ kind: PictureKind, of number: Comic.Number) -> PictureContent? {
    pictures[PictureKey(number: number, kind: kind)]
  }

  /// Forgets a comic's pictures in memory, since other ones are on the disk.
  func forgetPictures(of number: Comic.Number) {
    for kind in PictureKind.allCases { pictures.remove(PictureKey(number: number, kind: kind)) }
  }

  /// Forgets all pictures in memory.
  func forgetPictures() {
    pictures.removeAll()
  }
}
