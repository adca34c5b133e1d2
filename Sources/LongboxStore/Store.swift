// Longbox
// SPDX-License-Identifier: MIT

public import Foundation

/// Longbox's data: comics as xkcd sent them, their pictures and picture facts, explanations, albums, readers'
/// libraries, subscriptions and feeds.
///
/// By default one folder holds everything: an SQLite database, and the pictures as files. If a ``StoreLocation`` names a
/// PostgreSQL database, that database holds everything, and the folder has only caches and this node's keys.
///
/// When a call returns, its changes survive a kill -9 and a power cut. An interrupted write is complete or has no effect.
public final class Store: Sendable {
  /// Where the store is.
  public let location: StoreLocation
  let engine: any StoreEngine
  let albumLimits: AlbumLimits
  private let lock: FolderLock?
  /// Whether it may be changed.
  let isWritable: Bool

  init(
    _ location: StoreLocation,
    engine: any StoreEngine,
    lock: FolderLock?,
    isWritable: Bool = true,
    albumLimits: AlbumLimits = AlbumLimits()
  ) {
    self.location = location
    self.engine = engine
    self.lock = lock
    self.isWritable = isWritable
    self.albumLimits = albumLimits
  }

  /// The data folder.
  public var folder: URL { location.folder }

  /// Closes the connections to the database, and releases the folder's lock; later calls fail.
  ///
  /// With SQLite, it waits for calls that are under way, and moves the write-ahead log into the database file. If a
  /// process ends without this, nothing is lost: the next one reads the log.
  /// - Throws: an error of SQLite; the store is still open then.
  @available(*, noasync, message: "It blocks a thread of the shared pool. Use closeOnNewThread().")
  public func close() throws(StoreError) {
    do {
      try engine.close()
      lock?.release()
    } catch {
      throw StoreError(error, in: StorePlace(folder: folder))
    }
  }

  /// Calls ``close()`` on a new thread, so that it can't block the threads that tasks share.
  ///
  /// Closing waits for reads, which need those threads to end. If all of them waited in ``close()``, it would never
  /// return.
  /// - Throws: as ``close()``.
  public func closeOnNewThread() async throws(StoreError) {
    let outcome = await withCheckedContinuation {
      (continuation: CheckedContinuation<Result<Void, StoreError>, Never>) in
      Thread.detachNewThread {
        continuation.resume(returning: Result { () throws(StoreError) in try self.close() })
      }
    }
    try outcome.get()
  }
}

// The methods are in one type for each kind of data.
extension Store {
  /// The passphrase, signed-in devices and access keys.
  public var access: AccessStore { AccessStore(store: self) }

  /// The albums and their covers.
  public var albums: AlbumStore { AlbumStore(store: self) }

  /// Which subscribers to notify of which comics.
  public var announcements: AnnouncementStore { AnnouncementStore(store: self) }

  /// The comics' records.
  public var comics: ComicStore { ComicStore(store: self) }

  /// The comics' explanations.
  public var explanations: ExplanationStore { ExplanationStore(store: self) }

  /// The data of feeds.
  public var feeds: FeedStore { FeedStore(store: self) }

  /// What was fetched of each comic, and what is due.
  public var fetches: FetchStore { FetchStore(store: self) }

  /// Which comics were announced to which hooks.
  public var hooks: HookStore { HookStore(store: self) }

  /// The readers' libraries.
  public var libraries: LibraryStore { LibraryStore(store: self) }

  /// The comics' pictures and picture facts.
  public var pictures: PictureStore { PictureStore(store: self) }

  /// The browsers that get notifications.
  public var subscriptions: SubscriptionStore { SubscriptionStore(store: self) }
}

extension Store {
  func read<Value: Sendable>(
    _ body: @escaping @Sendable (any SQLConnection) throws -> Value
  ) async throws(StoreError) -> Value {
    try await engine.read(body)
  }

  /// Reads one snapshot with several statements.
  func readSnapshot<Value: Sendable>(
    _ body: @escaping @Sendable (any SQLConnection) throws -> Value
  ) async throws(StoreError) -> Value {
    try await engine.readSnapshot(body)
  }

  /// Changes tables in one transaction.
  @discardableResult
  func write<Value: Sendable>(
    _ body: @escaping @Sendable (any SQLConnection) throws -> Value
  ) async throws(StoreError) -> Value {
    try requireWritable()
    return try await engine.write(body)
  }

  /// Changes tables with one statement.
  func writeStatement<Value: Sendable>(
    _ body: @escaping @Sendable (any SQLConnection) throws -> Value
  ) async throws(StoreError) -> Value {
    try requireWritable()
    return try await engine.writeStatement(body)
  }

  /// Stores files and the rows that refer to them, see ``StoreEngine``.
  func writePictures(
    _ files: [NewPictureFile],
    in folder: PictureFolder = .pictures,
    after check: @escaping @Sendable (any SQLConnection) throws -> Void = { _ in },
    _ change: @escaping @Sendable (any SQLConnection) throws -> Set<ContentName>
  ) async throws(StoreError) {
    try requireWritable()
    try await engine.writePictures(files, in: folder, after: check, change)
  }

  func requireWritable() throws(StoreError) {
    guard isWritable else { throw .openedForReading(folder: folder.path) }
  }
}
