// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore
import LongboxStore

/// The steps of the background work, each of which also notes the source's status and the progress.
struct Refresher: Sendable {
  let comics: ComicRepository
  let status: SourceStatus
  let now: @Sendable () -> Date

  /// Asks xkcd for its newest comic, and notes whether it answers.
  func checkNewest() async throws {
    do {
      try await comics.comicFetcher.checkNewest()
      status.noteUp()
    } catch {
      await noteDown()
      throw error
    }
    await noteProgress()
  }

  /// Fetches the next comics and pictures.
  func fillStep() async throws -> FillStep {
    let step = try await comics.backgroundFill.step()
    switch step {
    case .worked: status.noteUp()
    case .sourceDown: await noteDown()
    case .idle: break
    }
    await noteProgress()
    return step
  }

  /// Fetches the next explanations.
  func explanationStep() async throws -> FillStep {
    let step = try await comics.explanationFetcher.step()
    if case .worked = step { await noteProgress() }
    return step
  }

  /// Notes what another node has stored about the source and the progress.
  func noteStored() async throws {
    if let check = try await comics.store.fetches.newestCheck() {
      if check.failure == nil {
        status.noteUp()
      } else {
        status.noteDown(since: check.succeededAt ?? check.checkedAt)
      }
    }
    await noteProgress()
  }

  private func noteDown() async {
    let lastSuccess = try? await comics.store.fetches.newestCheck()?.succeededAt
    status.noteDown(since: lastSuccess ?? now())
  }

  /// Counts what is stored.
  func noteProgress() async {
    guard
      let newest = comics.current.newest,
      let texts = try? await comics.store.fetches.progress(of: .record, upTo: newest),
      let pictures = try? await comics.store.fetches.progress(of: .picture, upTo: newest),
      let explanations = try? await comics.explanations.totals()
    else { return }
    status.note(
      Catalog.FillProgress(
        texts: texts.fetched,
        pictures: pictures.fetched,
        absentPictures: pictures.absent,
        explanations: explanations.pages,
        failures: texts.failed + pictures.failed,
        total: newest.ordinal
      )
    )
  }
}
