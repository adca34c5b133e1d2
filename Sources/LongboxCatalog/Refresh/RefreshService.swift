// Longbox
// SPDX-License-Identifier: MIT

public import Foundation
import Logging
import LongboxStore
public import ServiceLifecycle

/// Looks for new comics and fills the store, until the program shuts down.
///
/// One loop does both, so that xkcd sees one polite client. It looks for the newest comic when it is time,
/// else fetches what is due, else waits. A second loop asks explain xkcd. Of several nodes, only the leader runs this
/// service.
public struct RefreshService: Service {
  private let catalog: Catalog
  private let comics: ComicRepository
  private let refresher: Refresher
  private let settings: Catalog.Settings
  private let logger: Logger

  /// The longest wait of an idle loop, so that new work starts within a minute.
  private static let longestWait: TimeInterval = 60
  /// The first wait after a failure; it doubles up to half an hour.
  private static let firstRetry: TimeInterval = 20
  private static let longestRetry: TimeInterval = 30 * 60

  init(_ catalog: Catalog) {
    self.catalog = catalog
    comics = catalog.comics
    refresher = catalog.refresher
    settings = catalog.settings
    logger = catalog.logger
  }

  /// Runs until shutdown, which cancels requests under way.
  public func run() async throws {
    await cancelWhenGracefulShutdown {
      await withTaskCancellationHandler {
        async let explanations: Void = restarting("explanations") { try await fetchExplanations() }
        await restarting("comics") { try await fetchComics() }
        await explanations
      } onCancel: {
        // Without this, a slow source delays the shutdown by its time limit.
        Task { await comics.cancelRequests() }
      }
    }
  }

  /// Runs a loop until the task is cancelled, and starts it again after an error.
  /// - Parameters:
  ///   - things: what the loop fetches, for the log.
  ///   - loop: the loop.
  private func restarting(_ things: String, _ loop: () async throws -> Void) async {
    while !Task.isCancelled {
      do {
        try await loop()
      } catch {
        await pause(after: error, fetching: things)
      }
    }
  }

  /// Waits after a failure, probably of the disk; it must slow the service down, not end it.
  private func pause(after error: any Error, fetching things: String) async {
    guard !Task.isCancelled else { return }
    logger.error(
      "Longbox couldn't fetch \(things), and tries again in a minute.",
      metadata: ["error": "\(error)"]
    )
    try? await Task.sleep(for: .seconds(Self.longestWait))
  }

  /// Looks for the newest comic when it is time, and fills the store in between.
  private func fetchComics() async throws {
    var failures = 0
    var nextCheck = try await comics.store.fetches.newestCheck().map(nextCheck(after:)) ?? now()
    await refresher.noteProgress()
    try await comics.store.forLeader.pictures.sweep()
    while try await comics.pictures.inspectNextAgain() {}
    catalog.save()
    while !Task.isCancelled {
      // The clock may have been set back since.
      nextCheck = min(nextCheck, settings.schedule.latest(after: now()))
      if now() >= nextCheck {
        do {
          try await refresher.checkNewest()
          failures = 0
          nextCheck = settings.schedule.next(after: now(), jitter: .random(in: 0..<1))
        } catch {
          failures += 1
          nextCheck = now().addingTimeInterval(Self.retryPause(after: failures))
        }
        await catalog.discardStandIn()
      }
      try await waitOrFill(until: &nextCheck, failures: failures)
    }
  }

  /// Runs one step of the fill, or waits if nothing is due.
  ///
  /// If the source is down, the next check comes early, to find out whether just one comic is at fault.
  private func waitOrFill(until nextCheck: inout Date, failures: Int) async throws {
    var wakeUp = min(nextCheck, now().addingTimeInterval(Self.longestWait))
    if settings.fills, failures == 0 {
      switch try await refresher.fillStep() {
      case .worked: return
      case .sourceDown:
        nextCheck = min(nextCheck, now().addingTimeInterval(Self.firstRetry))
        wakeUp = nextCheck
      case .idle(let until): wakeUp = min(wakeUp, until ?? wakeUp)
      }
    }
    try await Task.sleep(for: .seconds(max(wakeUp.timeIntervalSince(now()), 0.05)))
  }

  /// Asks explain xkcd about comics that are due, or only updates the index if the server does not fill its store.
  private func fetchExplanations() async throws {
    var failures = 0
    while !Task.isCancelled {
      var pause = Self.longestWait
      if settings.fills {
        switch try await refresher.explanationStep() {
        case .worked:
          failures = 0
          continue
        case .sourceDown(let error):
          failures += 1
          pause = Self.retryPause(after: failures)
          logger.info("explain xkcd could not be asked.", metadata: ["error": "\(error)"])
        case .idle(let date):
          if let date { pause = min(pause, date.timeIntervalSince(now())) }
        }
      } else {
        try await comics.publisher.updateIndex()
      }
      try await Task.sleep(for: .seconds(max(pause, 0.05)))
    }
  }

  private func nextCheck(after check: NewestCheck) -> Date {
    guard check.failure == nil else { return now() }
    return settings.schedule.next(after: check.checkedAt, jitter: 0)
  }

  private func now() -> Date { comics.now() }

  private static func retryPause(after failures: Int) -> TimeInterval {
    min(firstRetry * pow(2, Double(min(failures - 1, 10))), longestRetry)
  }
}

/// The schedule of checks for a new comic.
///
/// 99.4 % of the comics since 2013 came on a Monday, Wednesday or Friday. Longbox asks every 15 minutes on
/// those days from 04 to 16 UTC, else hourly, with jitter.
public struct PollSchedule: Sendable {
  /// The pause in seconds on the days and hours of publication.
  static let often: TimeInterval = 15 * 60
  /// The pause in seconds at other times.
  static let seldom: TimeInterval = 60 * 60

  /// A pause in seconds that replaces both, for tests.
  private let fixed: TimeInterval?

  /// Makes the schedule.
  /// - Parameter interval: a pause in seconds that replaces the usual ones, for development and tests.
  public init(every interval: TimeInterval? = nil) {
    fixed = interval
  }

  /// The time of the next look.
  /// - Parameters:
  ///   - date: the time of the last look.
  ///   - jitter: 0 up to 1; adds up to a tenth of the pause.
  public func next(after date: Date, jitter: Double) -> Date {
    let pause = fixed ?? (Self.isLikely(date) ? Self.often : min(Self.seldom, Self.untilLikely(date)))
    return date.addingTimeInterval(pause * (1 + jitter / 10))
  }

  /// The latest time of the next look, whatever the clock was before.
  func latest(after date: Date) -> Date {
    date.addingTimeInterval((fixed ?? Self.seldom) * 1.1)
  }

  static func isLikely(_ date: Date) -> Bool {
    let parts = utc.dateComponents([.weekday, .hour], from: date)
    // Foundation counts weekdays from Sunday, 1.
    guard let weekday = parts.weekday, let hour = parts.hour, [2, 4, 6].contains(weekday) else {
      return false
    }
    return (4..<16).contains(hour)
  }

  /// The seconds until the next likely hour, at most an hour.
  private static func untilLikely(_ date: Date) -> TimeInterval {
    let inAnHour = date.addingTimeInterval(seldom)
    guard isLikely(inAnHour), let start = utc.dateInterval(of: .hour, for: inAnHour)?.start else {
      return seldom
    }
    return max(start.timeIntervalSince(date), 1)
  }

  private static var utc: Calendar {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar
  }
}
