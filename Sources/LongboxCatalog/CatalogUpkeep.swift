// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import Logging
import LongboxStore
public import ServiceLifecycle

/// Looks for new comics and fills the store, until the program shuts down.
///
/// One loop does both, for xkcd should see one polite visitor and not two: look for the newest comic when it is time,
/// else fetch the next things that are due, else wait. Another asks explain xkcd, beside it.
public struct CatalogUpkeep: Service {
  let catalog: Catalog

  /// The longest wait of a loop that has nothing to do, so that what was asked for meanwhile is not left lying.
  private static let longestWait: TimeInterval = 60
  /// The first wait after the source did not answer; it doubles up to half an hour.
  private static let firstRetry: TimeInterval = 20
  private static let longestRetry: TimeInterval = 30 * 60
  /// How long after a change it is written to the disk; a kill before that only makes the next start slower.
  private static let savePause = Duration.seconds(60)

  /// Runs until the program is asked to shut down; then what is being asked of a source is given up.
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
        // A slow source would hold up the end for as long as its time limit.
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

  /// Brings archive and index of explanations on the disk up to date once a minute, while they change.
  private func keepSaved(_ changes: CatalogChanges) async {
    for await _ in changes {
      try? await Task.sleep(for: Self.savePause)
      // Changes that come while this one is saved count as one more, which is saved a minute later.
      if !Task.isCancelled { catalog.save() }
    }
  }

  /// Runs a loop, and begins anew where it has failed.
  private func again(_ loop: () async throws -> Void) async {
    while !Task.isCancelled {
      do {
        try await loop()
      } catch {
        await rest(after: error)
      }
    }
  }

  /// The disk, most likely, has failed: that must not end the upkeep, only slow it down.
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
          nextLook = catalog.settings.schedule.next(after: catalog.now(), chance: .random(in: 0..<1))
        } catch {
          failures += 1
          nextLook = catalog.now().addingTimeInterval(Self.retryPause(after: failures))
        }
        catalog.discardStandIn()
      }
      try await waitOrFill(until: &nextLook, failures: failures)
    }
  }

  /// One step of the fill, or a wait where there is none to be made.
  ///
  /// Where the source is down, the next look comes early: it finds out whether the source, or one comic, is at fault.
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

  /// Asks explain xkcd about what is due, in batches; once all is there, about the newest and then and now the others.
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

  /// When to look next, after a look of an earlier run of the program.
  private func nextLook(after check: NewestCheck) -> Date {
    guard check.failure == nil else { return catalog.now() }
    return catalog.settings.schedule.next(after: check.checkedAt, chance: 0)
  }

  private static func retryPause(after failures: Int) -> TimeInterval {
    min(firstRetry * pow(2, Double(min(failures - 1, 10))), longestRetry)
  }
}
