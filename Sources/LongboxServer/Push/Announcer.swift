// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import Logging
import LongboxCatalog
import LongboxCore
import LongboxPush
import LongboxStore
import ServiceLifecycle

/// Tells readers of new comics, until the program shuts down; what is being sent then is finished.
///
/// What each browser has been told of stands in the store, so whatever happens to the program, it goes on where it was. Each
/// comic is noted as on its way before it is sent, and as told when the push service has taken it: only where the
/// program is killed between the two is a message repeated, and its topic and the browser make one of both.
struct Announcer: Service {
  let catalog: Catalog
  let store: Store
  let sender: PushSender
  let refusals: RefusalLog
  let logger: Logger
  let now: @Sendable () -> Date
  /// How long the source is waited for at a time.
  var sourceLimit = Duration.seconds(8)

  /// How often is looked whether there is a new comic: it costs a look into memory.
  private static let pause = Duration.seconds(1)
  /// How long is waited after the disk has failed.
  private static let rest: TimeInterval = 60
  /// How long a comic between is waited for before it is passed over, and how often is looked for it.
  private static let patience: TimeInterval = 3600
  private static let impatience: TimeInterval = 15
  /// To how many push services messages are sent at the same time.
  private static let services = 8
  /// After this long no further service is begun in a pass, so that new comics and second tries have their turn.
  private static let longestPass: TimeInterval = 600

  func run() async throws {
    var seen: (newest: Comic.Number, since: Date)?
    while !Task.isCancelled, !Task.isShuttingDownGracefully {
      var due: Date?
      if let newest, newest != seen?.newest { seen = (newest, now()) }
      if let seen {
        do {
          due = try await announce(upTo: seen.newest, since: seen.since)
        } catch {
          logger.error("Readers could not be told of new comics.", metadata: ["error": "\(error)"])
          due = now().addingTimeInterval(Self.rest)
        }
      }
      await wait(until: due, orAfter: seen?.newest)
    }
  }

  /// The newest comic; the sample box has none.
  private var newest: Comic.Number? {
    let archive = catalog.snapshot.archive
    return archive.isSampleBox ? nil : archive.latest?.number
  }

  private func wait(until due: Date?, orAfter known: Comic.Number?) async {
    await cancelWhenGracefulShutdown {
      repeat {
        try? await Task.sleep(for: Self.pause)
      } while !Task.isCancelled && newest == known && due.map { $0 > now() } != false
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
      for (place, service) in try await store.servicesToTell(upTo: horizon, at: start).enumerated() {
        if place >= Self.services { try await group.next() }
        if now().timeIntervalSince(start) > Self.longestPass { break }
        let round = AnnouncementRound(
          service: service,
          archive: archive,
          newest: horizon,
          sender: sender,
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
    return try await store.nextTelling(upTo: horizon)
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
