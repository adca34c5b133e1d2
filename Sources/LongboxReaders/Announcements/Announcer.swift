// Longbox
// SPDX-License-Identifier: MIT

public import Foundation
public import Logging
public import LongboxCatalog
public import LongboxCore
public import LongboxPush
public import LongboxStore
public import ServiceLifecycle

/// Notifies readers of new comics, until the program shuts down; what is being sent then is finished.
///
/// The store knows up to which comic each browser was notified, so after any end of the program it goes on where it was. A message
/// is claimed in the store before it is sent, and noted as announced when the push service has taken it. It is repeated only where the
/// program is killed between the two, and its topic and the browser make one notification of both.
public struct Announcer: Service {
  let catalog: Catalog
  let store: Store
  let sender: PushSender
  /// The address of a comic's small picture on this server, where it has one.
  let thumbnail: @Sendable (ArchivedComic) -> String?
  let refusals: RefusalLog
  let logger: Logger
  let now: @Sendable () -> Date
  /// How long the source is waited for at a time.
  var sourceLimit = Duration.seconds(8)

  /// The shortest and the longest sleep until something is due; a clock that is set meanwhile is noticed after the longest.
  private static let sleep = 1.0...600.0
  /// How long is waited after the disk has failed.
  private static let rest: TimeInterval = 60
  /// How long a comic between is waited for before it is passed over, and how often is looked for it.
  private static let patience: TimeInterval = 3600
  private static let impatience: TimeInterval = 15
  /// To how many push services messages are sent at the same time.
  private static let services = 8
  /// After this long no further service is begun in a pass, so that new comics and second tries have their turn.
  private static let longestPass: TimeInterval = 600

  /// Makes an announcer.
  /// - Parameters:
  ///   - catalog: tells of new comics.
  ///   - store: knows who is subscribed.
  ///   - sender: sends the messages.
  ///   - thumbnail: the path of a comic's small picture on this server, for notifications to show.
  ///   - refusals: logs push services that may not be reached.
  ///   - logger: gets what goes wrong.
  ///   - now: the time.
  public init(
    catalog: Catalog,
    store: Store,
    sender: PushSender,
    thumbnail: @escaping @Sendable (ArchivedComic) -> String?,
    refusals: RefusalLog,
    logger: Logger,
    now: @escaping @Sendable () -> Date
  ) {
    self.catalog = catalog
    self.store = store
    self.sender = sender
    self.thumbnail = thumbnail
    self.refusals = refusals
    self.logger = logger
    self.now = now
  }

  /// Runs until the program is asked to shut down.
  public func run() async throws {
    // Rings when there is a newer comic, or something is due.
    let (alarms, alarm) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let changes = catalog.changes
    let listener = Task { [newest = catalog.snapshot.newestComic] in
      var known = newest
      for await change in changes {
        if change.snapshot.newestComic != known { alarm.yield() }
        known = change.snapshot.newestComic
      }
    }
    defer { listener.cancel() }
    var seen: (newest: Comic.Number, since: Date)?
    while !Task.isCancelled, !Task.isShuttingDownGracefully {
      var due: Date?
      if let newest = catalog.snapshot.newestComic, newest != seen?.newest { seen = (newest, now()) }
      if let seen {
        do {
          due = try await announce(upTo: seen.newest, since: seen.since)
        } catch {
          logger.error("Readers could not be notified of new comics.", metadata: ["error": "\(error)"])
          due = now().addingTimeInterval(Self.rest)
        }
      }
      let timer = due.map { due in
        Task {
          let left = due.timeIntervalSince(now())
          try await Task.sleep(for: .seconds(min(max(left, Self.sleep.lowerBound), Self.sleep.upperBound)))
          alarm.yield()
        }
      }
      await cancelWhenGracefulShutdown { for await _ in alarms { return } }
      timer?.cancel()
    }
  }

  /// Sends all that is due by now.
  /// - Returns: when something will be, where nothing new comes.
  func announce(upTo newest: Comic.Number, since: Date) async throws -> Date? {
    // Nothing is on its way now: what still seems to be was left by a kill, or could not be noted.
    try await store.resumeAnnouncing()
    try await store.beginAnnouncing(after: newest)
    guard let least = try await store.leastAnnounced(), least < newest.value else { return nil }
    let isPatient = now().timeIntervalSince(since) < Self.patience
    let horizon = await horizon(from: least, to: newest, isPatient: isPatient)
    guard let horizon else { return now().addingTimeInterval(Self.impatience) }
    let archive = catalog.snapshot.archive
    let start = now()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (place, service) in try await store.servicesToNotify(upTo: horizon, at: start).enumerated() {
        if place >= Self.services { try await group.next() }
        if now().timeIntervalSince(start) > Self.longestPass { break }
        let round = AnnouncementRound(
          service: service,
          archive: archive,
          newest: horizon,
          sender: sender,
          thumbnail: thumbnail,
          store: store,
          now: now,
          refusals: refusals,
          logger: logger
        )
        group.addTask { try await round.run() }
      }
      try await group.waitForAll()
    }
    if horizon < newest { return now().addingTimeInterval(Self.impatience) }
    return try await store.nextNotification(upTo: horizon)
  }

  /// Up to which comic can be told: the newest, unless one between is still to come from the source.
  ///
  /// Those that have a message each should be in the archive, with their pictures, when it is sent.
  private func horizon(from least: Int, to newest: Comic.Number, isPatient: Bool) async -> Comic.Number? {
    let first = max(least + 1, newest.value - Announcement.mostApart)
    for number in (first...newest.value).compactMap({ Comic.Number($0) }) {
      if catalog.snapshot.archive.comic(number)?.picture == nil {
        try? await catalog.ensure(number, withPicture: true, within: sourceLimit)
      }
      guard isPatient else { continue }
      let comic = catalog.snapshot.archive.comic(number)
      if comic.map({ $0.picture == nil && !$0.pictureAddress.isEmpty }) ?? true { return number.previous }
    }
    return newest
  }
}
