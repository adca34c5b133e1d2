// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import Logging
import LongboxCore
import LongboxStore
import Synchronization

/// What one repository shows its readers at one point in time.
struct PublishedComics: Sendable {
  var archive: Archive
  var explanationIndex: ExplanationIndex
  var search: Search
  /// xkcd's newest comic, even before the archive has it.
  var newest: Comic.Number?
  /// Increases with each change, so that caches can tell whether they are stale.
  var generation: Int
}

/// Builds the archive and the index of explanations that readers see from the store, and notifies subscribers of what has
/// changed.
final class ArchivePublisher: Sendable {
  /// Sends each change once readers see it.
  let broadcaster = ChangeBroadcaster()
  private let store: Store
  private let pictures: PictureCache
  private let now: @Sendable () -> Date
  private let logger: Logger
  private let published: Mutex<PublishedComics>
  /// Changes of what is published wait for each other here.
  private let queue = SerialQueue()
  /// Updates of the index wait for each other here; each reads many texts before it is published.
  private let indexQueue = SerialQueue()
  private let archiveFile: ArchiveFile
  private let indexFile: ExplanationIndexFile
  /// The revisions of both files, or nil where a file is missing or unusable.
  private let saved: Mutex<(archive: Int?, index: Int?)>

  /// Reads the files of the archive and the index, and adds what the store has of comics since.
  /// - Parameters:
  ///   - pictures: forgets the pictures of comics that have changed.
  ///   - isSampleBox: whether the comics are samples.
  /// - Throws: `StoreError` if the store can't be read.
  init(
    store: Store,
    pictures: PictureCache,
    isSampleBox: Bool,
    now: @escaping @Sendable () -> Date,
    logger: Logger
  ) async throws {
    self.store = store
    self.pictures = pictures
    self.now = now
    self.logger = logger
    archiveFile = ArchiveFile(location: store.folder.appending(path: ArchiveFile.name))
    indexFile = ExplanationIndexFile(in: store.folder)
    let storedIndex = indexFile.read(for: try await store.explanations.totals())
    let storedArchive = try await archiveFile.read(for: store)
    if storedArchive == nil { archiveFile.remove() }
    saved = Mutex((storedArchive?.revision, storedIndex?.revision))
    let archive = try storedArchive ?? .blank(isSampleBox: isSampleBox)
    let index = try storedIndex ?? .empty(isSampleBox: isSampleBox)
    published = Mutex(
      PublishedComics(
        archive: archive,
        explanationIndex: index,
        search: Search(archive: archive, explanations: index),
        newest: try await store.fetches.newestCheck()?.newest,
        generation: 0
      )
    )
    let changed = try await publish(notesChanges: false)
    // With PostgreSQL, the leader has stored these dates already.
    if !store.isShared, !changed.isEmpty { try await store.feeds.noteChanges(of: changed, at: now()) }
  }

  /// What readers see now.
  var current: PublishedComics { published.withLock { $0 } }

  var generation: Int { published.withLock { $0.generation } }

  /// Adds the store's changes to the archive, and removes the pictures of changed comics from memory.
  /// - Parameter notesChanges: whether to store the dates of changes; only the leader does.
  /// - Returns: the comics that were in the archive, and look different now.
  @discardableResult
  func publish(notesChanges: Bool = true) async throws -> [Comic.Number] {
    try await queue.run { [self] in
      let before = current
      let revision = try await store.comics.revision()
      guard revision.value > before.archive.revision else { return [] }
      let changed = try await store.changes(since: Revision(before.archive.revision))
      // Changes since `revision` was read come too. The next delta repeats them, which is harmless.
      let archive = try before.archive.updated(with: changed, to: revision.value)
      let changedVisibly = archive.changed(since: before.archive, among: changed.comics.map(\.number))
      if notesChanges, store.cluster?.isFollower != true, !changedVisibly.isEmpty {
        try await store.forLeader.feeds.noteChanges(of: changedVisibly, at: now())
      }
      let search = Search(archive: archive, explanations: before.explanationIndex)
      // First, because a picture's new address must never get the old bytes.
      for comic in changed.comics { pictures.forget(comic.number) }
      published.withLock { published in
        published.archive = archive
        published.search = search
        published.newest = [published.newest, archive.latest?.number].compactMap { $0 }.max()
        published.generation += 1
      }
      // A comic that can't be decoded is stored, but not in the archive.
      let shown = Set(changed.comics.map(\.number)).filter { archive.comic($0) != nil }
      let known = shown.filter { before.archive.comic($0) != nil }
      broadcaster.send(ChangeSet(newComics: shown.subtracting(known), changedComics: known))
      return changedVisibly
    }
  }

  /// Adds changed explanations to the index; it runs in the background: a reader doesn't wait for it.
  func updateIndex() async throws {
    var isMore = true
    while isMore, !Task.isCancelled {
      isMore = try await indexQueue.run { [self] in
        let index = current.explanationIndex
        guard let delta = try await store.explanationDelta(after: index) else { return false }
        try await show(index.updated(with: delta.segment))
        broadcaster.send(ChangeSet(explanations: delta.comics))
        return true
      }
    }
  }

  private func show(_ index: ExplanationIndex) async throws {
    try await queue.run { [self] in
      let search = Search(archive: current.archive, explanations: index)
      published.withLock { published in
        published.explanationIndex = index
        published.search = search
        published.generation += 1
      }
    }
  }

  /// Notes that the source has a comic, before the archive has it.
  func noteNewest(_ number: Comic.Number) {
    published.withLock { $0.newest = max($0.newest ?? number, number) }
  }

  /// Notifies subscribers of changed explanations, which are not part of the archive, and starts a new generation.
  func noteChanged(explanations: Set<Comic.Number>) {
    published.withLock { $0.generation += 1 }
    broadcaster.send(ChangeSet(explanations: explanations))
  }

  /// Writes the archive and the index to their files, unless those have the same revisions.
  func save() {
    let current = current
    if saved.withLock({ $0.archive }) != current.archive.revision {
      do {
        try archiveFile.write(current.archive)
        saved.withLock { $0.archive = current.archive.revision }
      } catch {
        logger.warning(
          "The archive could not be written; it will be built again at the next start.",
          metadata: ["error": "\(error)"]
        )
      }
    }
    if saved.withLock({ $0.index }) != current.explanationIndex.revision {
      do {
        try indexFile.write(current.explanationIndex)
        saved.withLock { $0.index = current.explanationIndex.revision }
      } catch {
        logger.warning(
          "The index of explanations could not be written; it will be built again at the next start.",
          metadata: ["error": "\(error)"]
        )
      }
    }
  }
}

extension Archive {
  /// Filters comics to those that look different than in an earlier archive.
  ///
  /// New comics don't count, nor do comics whose picture was unknown before.
  fileprivate func changed(since before: Archive, among numbers: [Comic.Number]) -> [Comic.Number] {
    numbers.filter { number in
      guard let old = before.comic(number), let new = comic(number) else { return false }
      return old.title != new.title || old.alt != new.alt || old.transcript != new.transcript
        || old.date != new.date || old.link != new.link || old.news != new.news
        || old.isInteractive != new.isInteractive || old.hasOtherPicture(than: new)
    }
  }
}

extension ArchivedComic {
  fileprivate func hasOtherPicture(than other: ArchivedComic) -> Bool {
    guard let old = picture?.version, old != 0, let new = other.picture?.version else { return false }
    return old != new
  }
}

/// Runs asynchronous steps one after another, in the order of the calls; an actor alone would start a second
/// step wherever the first one waits.
actor SerialQueue {
  private var last: Task<Void, Never>?

  /// Runs a step after all earlier ones.
  func run<Value: Sendable>(_ step: @escaping @Sendable () async throws -> Value) async throws -> Value {
    let before = last
    let task = Task {
      await before?.value
      return try await step()
    }
    last = Task { _ = await task.result }
    return try await task.value
  }
}
