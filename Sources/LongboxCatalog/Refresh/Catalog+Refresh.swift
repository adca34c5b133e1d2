// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import Logging
import LongboxCore
import LongboxStore
import Synchronization

// Background work.
extension Catalog {
  /// Asks xkcd for its newest comic, and notes whether it answers.
  func checkNewest() async throws {
    do {
      try await comics.checkNewest()
      noteUp()
    } catch {
      await noteDown()
      throw error
    }
    await noteProgress()
  }

  func fillStep() async throws -> ComicRepository.FillStep {
    let step = try await comics.fillStep()
    switch step {
    case .worked: noteUp()
    case .sourceDown: await noteDown()
    case .idle: break
    }
    await noteProgress()
    return step
  }

  func explanationStep() async throws -> ComicRepository.FillStep {
    let step = try await comics.explanationStep()
    if case .worked = step { await noteProgress() }
    return step
  }

  func discardStandIn() {
    guard comics.current.archive.count > 0 else { return }
    let standIn = condition.withLock { condition in
      let standIn = condition.standIn
      condition.standIn = nil
      // The generation must not decrease when the stand-in's part is removed.
      if let standIn { condition.changes += standIn.current.generation + 1 }
      return standIn
    }
    standIn?.discard()
  }

  private func noteUp() {
    condition.withLock { condition in
      guard condition.downSince != nil else { return }
      condition.downSince = nil
      condition.changes += 1
    }
  }

  private func noteDown() async {
    let lastSuccess = try? await comics.store.newestCheck()?.succeededAt
    condition.withLock { condition in
      guard condition.downSince == nil else { return }
      condition.downSince = lastSuccess ?? now()
      condition.changes += 1
    }
  }

  func noteProgress() async {
    guard
      let newest = comics.current.newest,
      let texts = try? await comics.store.progress(of: .record, upTo: newest),
      let pictures = try? await comics.store.progress(of: .picture, upTo: newest),
      let explanations = try? await comics.explanations.totals()
    else { return }
    let progress = Progress(
      texts: texts.fetched,
      pictures: pictures.done,
      explanations: explanations.pages,
      failures: texts.failed + pictures.failed,
      total: newest.ordinal
    )
    condition.withLock { condition in
      guard condition.progress != progress else { return }
      condition.progress = progress
      condition.changes += 1
    }
  }
}
