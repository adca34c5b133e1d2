// Longbox
// SPDX-License-Identifier: MIT

public import Foundation
public import Logging
public import LongboxCatalog
public import LongboxCore
public import LongboxPush
public import LongboxStore
public import ServiceLifecycle

/// Notifies readers of new comics until shutdown, and then finishes the messages in progress.
///
/// The store knows the last comic each browser was notified of, so a restart continues there. A message is
/// claimed before it is sent, and marked as announced when the push service accepts it. It repeats only if
/// the process is killed between the two; its topic makes both one notification.
public struct Announcer: Service {
  var comics: NewComics
  let store: Store
  let sender: PushSender
  /// The path of a comic's thumbnail on this server; nil if it has none.
  let thumbnail: @Sendable (ArchivedComic) -> String?
  let rejections: RejectionLog
  let logger: Logger
  let now: @Sendable () -> Date

  /// The number of push services notified concurrently.
  private static let services = 8
  /// After this many seconds a pass starts no further service, so that new comics and retries get a turn.
  private static let longestPass: TimeInterval = 600

  /// Makes an announcer; `thumbnail` gives the path of a comic's thumbnail on this server.
  public init(
    catalog: Catalog,
    store: Store,
    sender: PushSender,
    thumbnail: @escaping @Sendable (ArchivedComic) -> String?,
    rejections: RejectionLog,
    logger: Logger,
    now: @escaping @Sendable () -> Date
  ) {
    comics = NewComics(catalog: catalog, now: now)
    self.store = store
    self.sender = sender
    self.thumbnail = thumbnail
    self.rejections = rejections
    self.logger = logger
    self.now = now
  }

  public func run() async throws {
    await comics.watch(logging: "Readers could not be notified of new comics.", to: logger, announce)
  }

  /// Sends all messages that are due.
  /// - Returns: when the next message is due, unless a new comic appears.
  func announce(upTo newest: Comic.Number, since: Date) async throws -> Date? {
    // Nothing is being sent now: remaining claims are from a killed process or a failed update.
    try await store.announcements.resume()
    try await store.announcements.begin(after: newest)
    guard let least = try await store.announcements.leastAnnounced(), least < newest.value else { return nil }
    guard let horizon = await comics.horizon(from: least, to: newest, since: since) else {
      return comics.nextCheck
    }
    let archive = comics.catalog.snapshot.archive
    let start = now()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (place, service) in try await store.announcements.servicesToNotify(upTo: horizon, at: start)
        .enumerated()
      {
        if place >= Self.services { try await group.next() }
        if now().timeIntervalSince(start) > Self.longestPass { break }
        let round = AnnouncementRound(
          origin: service,
          archive: archive,
          newest: horizon,
          sender: sender,
          thumbnail: thumbnail,
          store: store,
          now: now,
          rejections: rejections,
          logger: logger
        )
        group.addTask { try await round.run() }
      }
      try await group.waitForAll()
    }
    if horizon < newest { return comics.nextCheck }
    return try await store.announcements.nextNotification(upTo: horizon, at: now())
  }
}
