// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore
import LongboxStore
import LongboxUpstream

/// Asks explain xkcd about comics, for readers and in the background, and publishes what it answers.
final class ExplanationFetcher: Sendable {
  private let store: Store
  private let leader: LeaderRequests
  private let explanations: Explanations
  private let publisher: ArchivePublisher
  private let indexer: ExplanationIndexer
  private let now: @Sendable () -> Date

  init(
    store: Store,
    leader: LeaderRequests,
    explanations: Explanations,
    publisher: ArchivePublisher,
    indexer: ExplanationIndexer,
    now: @escaping @Sendable () -> Date
  ) {
    self.store = store
    self.leader = leader
    self.explanations = explanations
    self.publisher = publisher
    self.indexer = indexer
    self.now = now
  }

  /// The explanation of a comic; if it is unknown, the wiki is asked.
  /// - Parameters:
  ///   - number: which comic.
  ///   - limit: the maximum wait. A later reply is still stored.
  ///   - asker: the address of the client that asks, whose requests take turns; nil for no turns.
  /// - Returns: `unknown` if it did not come in time.
  /// - Throws: `CatalogError` if the wiki does not answer.
  func explanation(of number: Comic.Number, within limit: Duration, for asker: String?) async throws
    -> ExplanationState
  {
    let isThere = try await withTimeout(limit) { [self] in try await ensure(number, for: asker) } != nil
    // A client that waits for its own requests says nothing about the wiki.
    if !isThere, await explanations.requests.waitingCount(of: asker) == 0 {
      let error = UpstreamError.timedOut(.explain, subject: "explanation of comic \(number.value)")
      explanations.requests.breaker.note(error, for: number, at: now())
    }
    return try await explanations.state(of: number)
  }

  /// Makes sure that explain xkcd was asked about a comic.
  /// - Throws: `CatalogError` if the wiki does not answer; at once if it is known to be down.
  func ensure(_ number: Comic.Number, for asker: String? = nil) async throws {
    guard case .unknown = try await explanations.state(of: number) else { return }
    let requests = explanations.requests
    try await requests.inTurn(of: asker, number) { [self] in
      try await requests.forReader(number, now: now) { [self] in
        try await requests.underWay.value(for: number) { [self] in
          if try await leader.fetched(LeaderRequest(.explanation, of: number)) { return }
          try await fetch([number], isBackground: false)
        }
      }
    }
  }

  /// Fetches the next batch of what is due.
  func step() async throws -> FillStep {
    guard let newest = publisher.current.newest else { return .idle(until: nil) }
    // Index the explanations of the last step, and those that readers have requested since.
    try await indexer.update()
    let due = try await explanations.due(upTo: newest)
    guard !due.isEmpty else { return .idle(until: try await store.explanations.nextFetch(after: now())) }
    do {
      try await fetch(due, isBackground: true)
      explanations.noteBatch(failure: nil)
      return .worked
    } catch CatalogError.upstream(let error) {
      explanations.noteBatch(failure: error)
      return .sourceDown(.upstream(error))
    }
  }

  private func fetch(_ numbers: [Comic.Number], isBackground: Bool) async throws {
    guard let newest = publisher.current.newest ?? numbers.max() else { return }
    let changed = try await explanations.fetch(numbers, newest: newest, isBackground: isBackground)
    guard !changed.isEmpty else { return }
    // First, because readers get the new text from now on, so pages rendered with the old text are stale.
    publisher.noteChanged(explanations: Set(changed))
    // The explanations may have brought transcripts and topics.
    try await publisher.publish()
  }
}
