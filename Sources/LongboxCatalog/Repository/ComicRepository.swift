// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import Logging
import LongboxCore
import LongboxStore
import LongboxUpstream

/// Comics and albums in one store: records, pictures, explanations, and the archive built from them.
///
/// Requests are answered from memory, the disk or the source. The sample box is another repository, whose
/// sources are files: ``SampleBox/repository(from:in:settings:inspector:now:logger:)``.
public final class ComicRepository: Sendable {
  let store: Store
  let albums: Albums
  /// What explain xkcd says, as far as it is stored.
  let explanations: Explanations
  /// The archive and the index that readers see.
  let publisher: ArchivePublisher
  let indexer: ExplanationIndexer
  let comicFetcher: ComicFetcher
  let pictureCache: PictureCache
  let pictureFetcher: PictureFetcher
  let reinspector: PictureReinspector
  let explanationFetcher: ExplanationFetcher
  let backgroundFill: BackgroundFill
  /// Updates the caches when other nodes have changed the store.
  let view: NodeCaches
  let requests: ComicRequests

  /// Opens the stored comics.
  /// - Parameters:
  ///   - inspector: decodes pictures.
  ///   - blank: an empty archive, marked as samples if the comics are.
  ///   - firstDoubleSize: the first comic that may have a double-size picture.
  ///   - pictureMemory: the most bytes of pictures in memory.
  ///   - broadcaster: sends each change once readers see it.
  /// - Throws: `StoreError` if the store can't be read.
  init(
    store: Store,
    client: XkcdClient,
    explain: ExplainClient?,
    albums: Albums,
    inspector: PictureInspector,
    blank: Archive,
    firstDoubleSize: Comic.Number,
    pictureMemory: Int,
    broadcaster: ChangeBroadcaster,
    now: @escaping @Sendable () -> Date,
    logger: Logger
  ) async throws {
    self.store = store
    self.albums = albums
    let storedIndex = ExplanationIndexFile(in: store.folder).read(for: try await store.explanations.totals())
    pictureCache = PictureCache(store: store, memoryLimit: pictureMemory)
    publisher = try await ArchivePublisher(
      store: store,
      pictures: pictureCache,
      blank: blank,
      explanationIndex: try storedIndex ?? .empty(isSampleBox: blank.isSampleBox),
      broadcaster: broadcaster,
      now: now,
      logger: logger
    )
    indexer = ExplanationIndexer(
      store: store,
      savedRevision: storedIndex?.revision,
      publisher: publisher,
      broadcaster: broadcaster,
      logger: logger
    )
    explanations = Explanations(store: store, client: explain, memoryLimit: 4 << 20, now: now)
    view = NodeCaches(store: store, publisher: publisher, explanations: explanations)
    let leader = LeaderRequests(cluster: store.cluster, view: view)
    explanationFetcher = ExplanationFetcher(
      store: store,
      leader: leader,
      explanations: explanations,
      publisher: publisher,
      indexer: indexer,
      now: now
    )
    requests = ComicRequests(store: store, now: now)
    let suspect = OutageSuspect()
    comicFetcher = ComicFetcher(
      store: store,
      leader: leader,
      client: client,
      requests: requests,
      suspect: suspect,
      publisher: publisher,
      now: now
    )
    reinspector = PictureReinspector(
      store: store,
      cache: pictureCache,
      inspector: inspector,
      requests: requests,
      publisher: publisher
    )
    pictureFetcher = PictureFetcher(
      store: store,
      leader: leader,
      client: client,
      comics: comicFetcher,
      cache: pictureCache,
      reinspector: reinspector,
      inspector: inspector,
      requests: requests,
      publisher: publisher,
      firstDoubleSize: firstDoubleSize
    )
    backgroundFill = BackgroundFill(
      store: store,
      comics: comicFetcher,
      pictures: pictureFetcher,
      requests: requests,
      suspect: suspect,
      publisher: publisher,
      now: now,
      logger: logger
    )
  }

  /// What readers see now.
  var current: PublishedComics { publisher.current }

  /// Whether a comic isn't known to have no picture; the store may have one that older rules took for the comic's.
  func mayHavePicture(_ number: Comic.Number) -> Bool {
    current.archive.comic(number).map { !$0.pictureAddress.isEmpty } ?? true
  }

  /// Tries to get a comic into the archive, with its picture's facts if asked for.
  /// - Parameters:
  ///   - number: which comic.
  ///   - withPicture: whether its picture's facts are asked for.
  ///   - limit: the maximum wait for the source.
  ///   - asker: the address of the client that asks, whose requests take turns; nil for no turns.
  func ensure(
    _ number: Comic.Number,
    withPicture: Bool,
    within limit: Duration,
    for asker: String?
  ) async throws {
    let ensured: Void? = try await withTimeout(limit) { [self] in
      if withPicture {
        try await ensurePicture(of: number, for: asker)
      } else if current.archive.comic(number) == nil {
        try await requests.inTurn(of: asker, .record(number)) { [self] in
          try await comicFetcher.ensure(number)
        }
      }
    }
    guard ensured == nil, await requests.waitingCount(of: asker) == 0 else { return }
    // Later requests need not wait as long for a source that hangs.
    requests.noteFailure(.timedOut(.xkcd, subject: "comic \(number.value)"), for: .record(number))
  }

  /// Waits for a comic's picture, whose fetch goes on after that.
  ///
  /// Unlike in ``ensure(_:withPicture:within:for:)``, a picture that is late doesn't count as a failure of the source.
  /// - Returns: whether the picture came within the limit.
  func awaitPicture(
    of number: Comic.Number,
    within limit: Duration,
    clock: any Clock<Duration>,
    for asker: String?
  ) async throws -> Bool {
    try await withTimeout(limit, clock: clock) { [self] in
      try await ensurePicture(of: number, for: asker)
    } != nil
  }

  private func ensurePicture(of number: Comic.Number, for asker: String?) async throws {
    // What is here needs no turn.
    let isKnown = current.archive.comic(number)?.picture != nil
    try await requests.inTurn(of: isKnown ? nil : asker, .picture(number)) { [self] in
      try await pictureFetcher.ensure(number)
    }
  }

  /// Fetches a comic and its picture again, even after failures.
  func reload(_ number: Comic.Number) async throws {
    try await store.fetches.forgetFailures(of: number)
    try await comicFetcher.fetch(number)
    try await pictureFetcher.fetch(number)
  }

  /// Reads the store if a client has seen a later revision of the archive, which another node has published.
  ///
  /// It waits for a second at most.
  /// - Returns: whether this node can list the changes after that revision. If even the store is behind that revision, a
  ///   backup was restored, and the answer is yes.
  func catchUp(to revision: Int) async -> Bool {
    guard let cluster = store.cluster, revision > current.archive.revision else { return true }
    let isBehind = try? await withTimeout(.seconds(1)) { [self] in
      guard try await store.comics.revision().value >= revision else { return true }
      try await publisher.publish(notesChanges: !cluster.isFollower)
      return false
    }
    // Without an answer of the database this node can't tell.
    return isBehind == true || current.archive.revision >= revision
  }

  /// The same for the index of explanations.
  func catchUp(toExplanations change: Int) async -> Bool {
    guard store.cluster != nil, change > current.explanationIndex.revision else { return true }
    let isBehind = try? await withTimeout(.seconds(1)) { [self] in
      guard try await store.explanations.totals().change >= change else { return true }
      try await indexer.update()
      return false
    }
    return isBehind == true || current.explanationIndex.revision >= change
  }

  /// Writes the archive and the explanation index to the disk.
  func save() {
    publisher.save()
    indexer.save()
  }

  /// Cancels all requests under way, at shutdown.
  func cancelRequests() async {
    await requests.cancelAll()
    await explanations.requests.cancelAll()
    await albums.cancelAll()
  }

  /// Closes and removes the store.
  func discard() async {
    try? await store.closeOnNewThread()
    try? FileManager.default.removeItem(at: store.folder)
  }
}
