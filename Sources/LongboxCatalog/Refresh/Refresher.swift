// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore
import LongboxStore
import Synchronization

/// The steps of the background work, each of which also notes the source's status and the progress.
struct Refresher: Sendable {
  let comics: ComicRepository
  let status: SourceStatus

  /// Asks xkcd for its newest comic, and notes whether it answers.
  func checkNewest() async throws {
    do {
      try await comics.records.checkNewest()
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
    let step = try await comics.explanations.step()
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
    status.noteDown(since: lastSuccess ?? comics.now())
  }

  /// Counts what is stored.
  func noteProgress() async {
    guard
      let newest = comics.current.newest,
      let texts = try? await comics.store.fetches.progress(of: .record, upTo: newest),
      let pictures = try? await comics.store.fetches.progress(of: .picture, upTo: newest),
      let explanations = try? await comics.explanationCache.totals()
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

/// Whether xkcd answers, and how much of it is stored, for the pages that show it.
final class SourceStatus: Sendable {
  struct Status: Sendable {
    /// Since when xkcd has been down, or nil.
    var downSince: Date?
    /// Whether xkcd has answered since the start.
    var hasAnswered = false
    /// The progress of the background fill, if known.
    var progress: Catalog.FillProgress?
    /// Increases with each change.
    var changes = 0
  }

  private let status = Mutex(Status())

  var current: Status { status.withLock { $0 } }

  /// Notes that xkcd answers.
  func noteUp() {
    status.withLock { status in
      status.hasAnswered = true
      guard status.downSince != nil else { return }
      status.downSince = nil
      status.changes += 1
    }
  }

  /// Notes that xkcd does not answer; an outage under way keeps its beginning.
  func noteDown(since date: Date) {
    status.withLock { status in
      guard status.downSince == nil else { return }
      status.downSince = date
      status.changes += 1
    }
  }

  func note(_ progress: Catalog.FillProgress) {
    status.withLock { status in
      guard status.progress != progress else { return }
      status.progress = progress
      status.changes += 1
    }
  }
}

extension Catalog {
  /// How many comics are stored.
  public struct FillProgress: Equatable, Sendable {
    /// The comics whose text is stored.
    public var texts: Int
    /// The comics whose picture is stored.
    public var pictures: Int
    /// The comics whose picture xkcd doesn't have.
    public var absentPictures = 0
    /// The comics whose explanation is stored.
    public var explanations = 0
    /// Failed downloads, to be tried again later.
    public var failures: Int
    /// All comics that exist.
    public var total: Int
  }
}
