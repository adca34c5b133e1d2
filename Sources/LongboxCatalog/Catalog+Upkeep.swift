// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import Logging
import LongboxCore
import LongboxStore
import LongboxUpstream
import Synchronization

// What the catalog does of its own accord.
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

  /// One step of the background fill.
  func fillStep() async throws -> Collection.FillStep {
    let step = try await comics.fillStep()
    switch step {
    case .worked: noteUp()
    case .sourceDown: await noteDown()
    case .idle: break
    }
    await noteProgress()
    return step
  }

  /// One step of the background fill of explanations.
  func explanationStep() async throws -> Collection.FillStep {
    let step = try await comics.explanationStep()
    if case .worked = step { await noteProgress() }
    return step
  }

  /// Opens the sample box, in a store of its own that is made anew each time.
  func openSamples(_ samples: URL) async throws {
    let folder = comics.store.folder.appending(path: "samples")
    try? FileManager.default.removeItem(at: folder)
    let transport = try SampleBox.transport(from: samples)
    let store = try Store.open(folder)
    let albums = Albums(
      store: store,
      client: ITunesClient(
        transport: transport,
        artwork: transport,
        window: CallWindow(limit: 1_000, span: .seconds(1), clock: ContinuousClock())
      ),
      wikipedia: WikipediaClient(transport: transport, address: try WikipediaAddress()),
      settings: realAlbums.settings,
      now: now,
      logger: logger
    )
    let collection = try await Collection(
      store: store,
      client: XkcdClient(transport: transport),
      explain: ExplainClient(transport: transport),
      isSampleBox: true,
      pictureMemory: 4 << 20,
      workshop: comics.workshop,
      now: now,
      logger: logger
    )
    try await collection.checkNewest()
    while case .worked = try await collection.fillStep() {}
    while case .worked = try await collection.explanationStep() {}
    try await collection.indexExplanations()
    condition.withLock {
      $0.samples = collection
      $0.sampleAlbums = albums
      $0.changes += 1
    }
  }

  /// Lets go of the sample box, once there are real comics.
  func closeSamples() {
    guard comics.current.archive.count > 0 else { return }
    let samples = condition.withLock { condition in
      let samples = condition.samples
      condition.samples = nil
      condition.sampleAlbums = nil
      // The generation must not fall back when the samples' own part of it goes.
      if let samples { condition.changes += samples.current.generation + 1 }
      return samples
    }
    guard let samples else { return }
    try? samples.store.close()
    try? FileManager.default.removeItem(at: samples.store.folder)
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

  /// Counts how much is stored.
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
