// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore
import LongboxStore
import LongboxUpstream
import Synchronization

// What explain xkcd says about the comics.
extension ComicRepository {
  /// Makes sure that explain xkcd was asked about a comic.
  /// - Throws: `CatalogError` if the wiki does not answer; at once if it is known to be down.
  func ensureExplanation(_ number: Comic.Number) async throws {
    guard case .unknown = try await explanations.state(of: number) else { return }
    try await explanations.failures.unlessRecent(number, now: now) { [self] in
      try await explanations.outage.unlessDown(now: now()) { [self] in
        try await explanations.work.value(for: number) { [self] in
          try await fetchExplanations([number], isBackground: false)
        }
      }
    }
  }

  func explanationStep() async throws -> FillStep {
    guard let newest = current.newest else { return .idle(until: nil) }
    // Index the explanations of the last step, and those that readers have requested since.
    try await indexExplanations()
    let due = try await explanations.due(upTo: newest)
    guard !due.isEmpty else { return .idle(until: try await store.nextLookAtExplanation(after: now())) }
    do {
      try await fetchExplanations(due, isBackground: true)
      explanations.noteBatch(failure: nil)
      return .worked
    } catch CatalogError.upstream(let error) {
      explanations.noteBatch(failure: error)
      return .sourceDown(.upstream(error))
    }
  }

  private func fetchExplanations(_ numbers: [Comic.Number], isBackground: Bool) async throws {
    let newest = current.newest ?? numbers.max()
    guard let newest else { return }
    let changed = try await explanations.fetch(numbers, newest: newest, isBackground: isBackground)
    guard !changed.isEmpty else { return }
    // Do it now: readers get the new text from here on, so a page with the old one must not be served.
    published.withLock { $0.generation += 1 }
    broadcaster.send(ChangeSet(explanations: Set(changed)))
    // The explanations may have brought transcripts.
    try await publish()
  }
}
