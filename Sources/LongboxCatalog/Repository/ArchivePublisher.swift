// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import Logging
import LongboxCore
import LongboxStore
import Synchronization

/// Builds the archive that readers see from the store, and notifies subscribers of what has changed.
final class ArchivePublisher: Sendable {
  private let store: Store
  private let pictures: PictureCache
  private let broadcaster: ChangeBroadcaster
  private let now: @Sendable () -> Date
  private let logger: Logger
  private let published: Mutex<PublishedComics>
  private let queue = SerialQueue()
  private let file: ArchiveFile
  /// The revision of the archive file, or nil if it is missing or unusable.
  private let savedRevision: Mutex<Int?>

  /// Reads the archive file and adds what the store has since.
  /// - Parameters:
  ///   - pictures: forgets the pictures of comics that have changed.
  ///   - blank: an empty archive, marked as samples if the comics are.
  ///   - index: the index of the explanations.
  ///   - broadcaster: sends each change once readers see it.
  /// - Throws: `StoreError` if the store can't be read.
  init(
    store: Store,
    pictures: PictureCache,
    blank: Archive,
    explanationIndex index: ExplanationIndex,
    broadcaster: ChangeBroadcaster,
    now: @escaping @Sendable () -> Date,
    logger: Logger
  ) async throws {
    self.store = store
    self.pictures = pictures
    self.broadcaster = broadcaster
    self.now = now
    self.logger = logger
    file = ArchiveFile(location: store.folder.appending(path: ArchiveFile.name))
    let kept = try await file.read(for: store)
    if kept == nil { file.remove() }
    savedRevision = Mutex(kept?.revision)
    let archive = kept ?? blank
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
  /// - Parameter notesChanges: whether to store the dates of changes, as only the leader should.
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
      if notesChanges, !changedVisibly.isEmpty {
        try await store.feeds.noteChanges(of: changedVisibly, at: now())
      }
      let search = Search(archive: archive, explanations: before.explanationIndex)
      // First, because a picture's new address must never get the old bytes.
      for comic in changed.comics { pictures.forget(comic.number) }
      published.withLock { $0.show(archive, search) }
      // A comic that can't be decoded is stored, but not in the archive.
      let shown = Set(changed.comics.map(\.number)).filter { archive.comic($0) != nil }
      let known = shown.filter { before.archive.comic($0) != nil }
      broadcaster.send(ChangeSet(newComics: shown.subtracting(known), changedComics: known))
      return changedVisibly
    }
  }

  /// Replaces the index of explanations.
  func show(_ index: ExplanationIndex) async throws {
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

  /// Writes the archive to its file, unless that has the same revision.
  func save() {
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
}
