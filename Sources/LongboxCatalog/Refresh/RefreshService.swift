// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import Logging
import LongboxStore
public import ServiceLifecycle

/// Looks for new comics and fills the store, until the program shuts down.
///
/// One loop does both, so that xkcd sees one polite client. It looks for the newest comic when it is time,
/// else fetches what is due, else waits. A second loop asks explain xkcd.
public struct RefreshService: Service {
  let catalog: Catalog

  /// The longest wait of an idle loop, so that new work starts within a minute.
  private static let longestWait: TimeInterval = 60
  /// The first wait after a failure; it doubles up to half an hour.
  private static let firstRetry: TimeInterval = 20
  private static let longestRetry: TimeInterval = 30 * 60
  /// How long after a change it is written to the disk; a kill before that only slows the next start.
  private static let savePause = Duration.seconds(60)

  /// Runs until shutdown, which cancels requests under way.
  public func run() async throws {
    let changes = catalog.changes
    await cancelWhenGracefulShutdown {
      await withTaskCancellationHandler {
        async let saving: Void = keepSaved(changes)
        async let explanations: Void = again { try await keepExplaining() }
        await again { try await keepUp() }
        await explanations
        await saving
      } onCancel: {
        // Without this, a slow source delays the shutdown by its time limit.
        Task {
          await catalog.comics.work.cancelAll()
          await catalog.comics.explanations.work.cancelAll()
          await catalog.comics.albums.cancelAll()
        }
      }
    }
    catalog.save()
    catalog.finishChanges()
  }

  /// Writes the archive and the explanation index to the disk once a minute while they change.
  private func keepSaved(_ changes: CatalogChanges) async {
    for await _ in changes {
      try? await Task.sleep(for: Self.savePause)
      // Changes during this save are saved together a minute later.
      if !Task.isCancelled { catalog.save() }
    }
  }

  private func again(_ loop: () async throws -> Void) async {
    while !Task.isCancelled {
      do {
        try await loop()
      } catch {
        await rest(after: error)
      }
    }
  }

  /// Waits after a failure, probably of the disk; it must slow the service down, not end it.
  private func rest(after error: any Error) async {
    guard !Task.isCancelled else { return }
    catalog.logger.error(
      "Looking for comics has failed; Longbox tries again in a minute.",
      metadata: ["error": "\(error)"]
    )
    try? await Task.sleep(for: .seconds(Self.longestWait))
  }

  private func keepUp() async throws {
    var failures = 0
    var nextLook = try await catalog.comics.store.newestCheck().map(nextLook(after:)) ?? catalog.now()
    await catalog.noteProgress()
    try await catalog.comics.store.sweepPictures()
    while try await catalog.comics.repairStep() {}
    catalog.save()
    while !Task.isCancelled {
      if catalog.now() >= nextLook {
        do {
          try await catalog.checkNewest()
          failures = 0
          nextLook = catalog.settings.schedule.next(after: catalog.now(), jitter: .random(in: 0..<1))
        } catch {
          failures += 1
          nextLook = catalog.now().addingTimeInterval(Self.retryPause(after: failures))
        }
        catalog.discardStandIn()
      }
      try await waitOrFill(until: &nextLook, failures: failures)
    }
  }

  /// Runs one step of the fill, or waits if nothing is due.
  ///
  /// If the source is down, the next look comes early, to find out whether just one comic is at fault.
  private func waitOrFill(until nextLook: inout Date, failures: Int) async throws {
    var wakeUp = min(nextLook, catalog.now().addingTimeInterval(Self.longestWait))
    if catalog.settings.fills, failures == 0 {
      switch try await catalog.fillStep() {
      case .worked: return
      case .sourceDown:
        nextLook = min(nextLook, catalog.now().addingTimeInterval(Self.firstRetry))
        wakeUp = nextLook
      case .idle(let until): wakeUp = min(wakeUp, until ?? wakeUp)
      }
    }
    try await Task.sleep(for: .seconds(max(wakeUp.timeIntervalSince(catalog.now()), 0.05)))
  }

  private func keepExplaining() async throws {
    var failures = 0
    while !Task.isCancelled {
      var pause = Self.longestWait
      if catalog.settings.fills {
        switch try await catalog.explanationStep() {
        case .worked:
          failures = 0
          continue
        case .sourceDown(let error):
          failures += 1
          pause = Self.retryPause(after: failures)
          catalog.logger.info("explain xkcd could not be asked.", metadata: ["error": "\(error)"])
        case .idle(let date):
          if let date { pause = min(pause, date.timeIntervalSince(catalog.now())) }
        }
      } else {
        try await catalog.indexExplanations()
      }
      try await Task.sleep(for: .seconds(max(pause, 0.05)))
    }
  }

  private func nextLook(after check: NewestCheck) -> Date {
    guard check.failure == nil else { return catalog.now() }
    return catalog.settings.schedule.next(after: check.checkedAt, jitter: 0)
  }

  private static func retryPause(after failures: Int) -> TimeInterval {
    min(firstRetry * pow(2, Double(min(failures - 1, 10))), longestRetry)
  }
}
