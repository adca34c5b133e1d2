// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import Logging
import LongboxCatalog
import LongboxCore
import ServiceLifecycle

/// Finds out for an announcer when there is a newer comic, and which comics can be announced.
struct NewComics: Sendable {
  let catalog: Catalog
  let now: @Sendable () -> Date
  /// The timeout for one request to the source.
  var sourceLimit = Duration.seconds(8)

  /// The limits of a sleep in seconds; a changed system clock is noticed after the longest.
  private static let sleep = 1.0...600.0
  /// The pause after a failed pass, in seconds.
  private static let rest: TimeInterval = 60
  /// Maximum wait for a missing comic, in seconds.
  private static let timeout: TimeInterval = 3600
  /// The pause before a missing comic is tried again, in seconds.
  private static let recheck: TimeInterval = 15

  init(catalog: Catalog, now: @escaping @Sendable () -> Date) {
    self.catalog = catalog
    self.now = now
  }

  /// When a missing comic is tried again.
  var nextCheck: Date { now().addingTimeInterval(Self.recheck) }

  /// Whether a comic is still waited for that was first missing at a date.
  func isAwaited(since date: Date) -> Bool { abs(now().timeIntervalSince(date)) < Self.timeout }

  /// A comic, which is fetched if the archive lacks it; nil if it can't be fetched now.
  func comic(_ number: Comic.Number) async -> ArchivedComic? {
    if let comic = catalog.snapshot.archive.comic(number) { return comic }
    try? await catalog.ensure(number, within: sourceLimit)
    return catalog.snapshot.archive.comic(number)
  }

  /// Calls a pass for each newer comic, and when the pass before wanted it, until shutdown.
  /// - Parameters:
  ///   - failure: what to log if a pass fails; it is called again after a minute.
  ///   - pass: gets the newest comic and when it was first seen; returns when something is due.
  func watch(
    logging failure: Logger.Message,
    to logger: Logger,
    _ pass: (_ newest: Comic.Number, _ since: Date) async throws -> Date?
  ) async {
    // Fires when there is a newer comic, or something is due.
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
          due = try await pass(seen.newest, seen.since)
        } catch {
          guard !Task.isCancelled else { return }
          logger.error(failure, metadata: ["error": "\(error)"])
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

  /// The newest comic to announce: the newest of all, or the one before the first missing comic.
  ///
  /// A comic with a message of its own should be in the archive, with its picture, before the message is sent. After an
  /// hour that is not waited for any more.
  /// - Parameters:
  ///   - least: the last comic that everybody knows.
  ///   - newest: the newest comic.
  ///   - since: when that was first seen.
  /// - Returns: nil if there is nothing to announce yet; look again at ``nextCheck``.
  func horizon(from least: Int, to newest: Comic.Number, since: Date) async -> Comic.Number? {
    let waitsForMissing = isAwaited(since: since)
    let first = max(least + 1, newest.value - Announcement.maxSeparate)
    for number in (first...newest.value).compactMap({ Comic.Number($0) }) {
      if catalog.snapshot.archive.comic(number)?.picture == nil {
        try? await catalog.ensure(number, withPicture: true, within: sourceLimit)
      }
      guard waitsForMissing else { continue }
      let comic = catalog.snapshot.archive.comic(number)
      if comic.map({ $0.picture == nil && !$0.pictureAddress.isEmpty }) ?? true { return number.previous }
    }
    return newest
  }
}
