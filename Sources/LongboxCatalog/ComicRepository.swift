// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import Logging
import LongboxCore
import LongboxStore
import LongboxUpstream

/// Comics and albums in one store, room by room: records, pictures, explanations, albums, and the archive built from them.
///
/// Each room answers from memory, the disk or its source. The sample box is another repository, whose sources are files:
/// ``SampleBox/repository(from:in:settings:inspector:now:logger:)``.
///
/// To other modules it is opaque: they make the sample box and hand it to ``Catalog/show(standIn:)``.
public final class ComicRepository: Sendable {
  /// Whom a repository asks; without a client, there are no explanations, albums or articles.
  struct Sources: Sendable {
    var xkcd: XkcdClient
    var explain: ExplainClient?
    var itunes: ITunesClient?
    var wikipedia: WikipediaClient?
  }

  /// The memory for explanations, in bytes.
  private static let explanationMemory = 4 << 20

  let store: Store
  let now: @Sendable () -> Date
  let logger: Logger
  /// The archive and the index of explanations that readers see.
  let publisher: ArchivePublisher
  let pictureCache: PictureCache
  let explanationCache: ExplanationCache
  let nodes: OtherNodes
  /// The requests to xkcd.
  let requests: ComicRequests
  let records: Records
  let pictures: Pictures
  let explanations: Explanations
  let albums: Albums

  /// Opens the stored comics.
  /// - Parameters:
  ///   - isSampleBox: whether the comics are the project's samples, which the archive says to devices.
  ///   - inspector: decodes pictures.
  ///   - pictureMemory: the most bytes of comics' pictures in memory.
  /// - Throws: `StoreError` if the store can't be read.
  init(
    store: Store,
    sources: Sources,
    isSampleBox: Bool = false,
    albums: Albums.Settings,
    inspector: PictureInspector,
    pictureMemory: Int,
    now: @escaping @Sendable () -> Date,
    logger: Logger
  ) async throws {
    self.store = store
    self.now = now
    self.logger = logger
    pictureCache = PictureCache(store: store, memoryLimit: pictureMemory)
    publisher = try await ArchivePublisher(
      store: store,
      pictures: pictureCache,
      isSampleBox: isSampleBox,
      now: now,
      logger: logger
    )
    // Of several nodes, only the leader stores what the sources send.
    let leading = store.forLeader
    explanationCache = ExplanationCache(store: leading, memoryLimit: Self.explanationMemory)
    nodes = OtherNodes(store: store, publisher: publisher, explanations: explanationCache)
    requests = ComicRequests(store: leading, nodes: nodes, now: now)
    records = Records(
      store: leading,
      client: sources.xkcd,
      requests: requests,
      publisher: publisher,
      now: now
    )
    pictures = Pictures(
      store: store,
      client: sources.xkcd,
      requests: requests,
      records: records,
      publisher: publisher,
      cache: pictureCache,
      inspector: inspector,
      // xkcd has no double-size pictures of earlier comics.
      firstDoubleSize: isSampleBox ? .first : Comic.Number(1084) ?? .first
    )
    explanations = Explanations(
      store: store,
      client: sources.explain,
      cache: explanationCache,
      nodes: nodes,
      publisher: publisher,
      now: now
    )
    self.albums = Albums(
      store: store,
      client: sources.itunes,
      wikipedia: sources.wikipedia,
      inspector: inspector,
      settings: albums,
      now: now,
      logger: logger
    )
  }

  /// What readers see now.
  var current: PublishedComics { publisher.current }

  /// Fetches everything that xkcd has.
  var backgroundFill: BackgroundFill { BackgroundFill(comics: self) }

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
