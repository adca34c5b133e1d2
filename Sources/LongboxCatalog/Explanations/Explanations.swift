// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore
import LongboxStore
import LongboxUpstream
import Synchronization

/// The explanations of one repository's comics: explain xkcd is asked for readers and in the background, and what it answers
/// is stored and published.
final class Explanations: Sendable {
  /// Requests that readers wait for.
  let requests = SourceRequests<Comic.Number>(to: .explain)
  private let store: Store
  private let client: ExplainClient?
  private let cache: ExplanationCache
  private let nodes: OtherNodes
  private let publisher: ArchivePublisher
  private let now: @Sendable () -> Date
  /// How many pages the next background request asks for.
  private let batchSize = Mutex(ExplainClient.batchSize)

  /// - Parameter client: asks the wiki; nil for no explanations.
  init(
    store: Store,
    client: ExplainClient?,
    cache: ExplanationCache,
    nodes: OtherNodes,
    publisher: ArchivePublisher,
    now: @escaping @Sendable () -> Date
  ) {
    self.store = store
    self.client = client
    self.cache = cache
    self.nodes = nodes
    self.publisher = publisher
    self.now = now
  }

  // MARK: For readers

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
    if !isThere, await requests.waitingCount(of: asker) == 0 {
      let error = UpstreamError.timedOut(.explain, subject: "explanation of comic \(number.value)")
      requests.breaker.note(error, for: number, at: now())
    }
    return try await cache.state(of: number)
  }

  /// Makes sure that explain xkcd was asked about a comic.
  /// - Throws: `CatalogError` if the wiki does not answer; at once if it is known to be down.
  func ensure(_ number: Comic.Number, for asker: String? = nil) async throws {
    guard case .unknown = try await cache.state(of: number) else { return }
    try await requests.fetch(number, for: asker, now: now) { [self] in
      if try await nodes.leaderFetched(LeaderRequest(.explanation, of: number)) { return }
      try await fetch([number], isBackground: false)
    }
  }

  // MARK: In the background

  /// Fetches the next batch of what is due.
  func step() async throws -> FillStep {
    guard let newest = publisher.current.newest else { return .idle(until: nil) }
    // Index the explanations of the last step, and those that readers have requested since.
    try await publisher.updateIndex()
    let due = try await due(upTo: newest)
    guard !due.isEmpty else { return .idle(until: try await store.explanations.nextFetch(after: now())) }
    do {
      try await fetch(due, isBackground: true)
      batchSize.withLock { $0 = min($0 * 5, ExplainClient.batchSize) }
      return .worked
    } catch CatalogError.upstream(let error) {
      // One page may be the cause. In smaller batches it ends up alone, so it doesn't block the others.
      if error.mayBeThePages { batchSize.withLock { $0 = max($0 / 5, 1) } }
      return .sourceDown(.upstream(error))
    }
  }

  private func due(upTo newest: Comic.Number) async throws -> [Comic.Number] {
    guard client != nil else { return [] }
    let limit = batchSize.withLock { $0 }
    return try await store.explanations.numbersToFetch(upTo: newest, dueBy: now(), limit: limit)
  }

  // MARK: From the wiki

  private func fetch(_ numbers: [Comic.Number], isBackground: Bool) async throws {
    guard let newest = publisher.current.newest ?? numbers.max() else { return }
    let changed = try await download(numbers, newest: newest, isBackground: isBackground)
    guard !changed.isEmpty else { return }
    // First, because readers get the new text from now on, so pages rendered with the old text are stale.
    publisher.noteChanged(explanations: Set(changed))
    // The explanations may have brought transcripts and topics.
    try await publisher.publish()
  }

  /// Asks the wiki about comics and stores the results.
  /// - Parameters:
  ///   - numbers: which comics, at most ``ExplainClient/batchSize``.
  ///   - newest: the newest comic. The newest comics are checked again soon.
  ///   - isBackground: whether no reader waits.
  /// - Returns: the comics whose text has changed.
  /// - Throws: `CatalogError`. If a single page was requested and may be at fault, its failure is stored.
  private func download(
    _ numbers: [Comic.Number],
    newest: Comic.Number,
    isBackground: Bool
  ) async throws -> [Comic.Number] {
    guard let client, let first = numbers.first else { return [] }
    let found: [Comic.Number: ExplainLookup]
    do throws(UpstreamError) {
      found = try await client.pages(about: numbers, isBackground: isBackground)
    } catch {
      // A server that rejects background work may still answer a reader.
      if !isBackground || error.retryAfter == nil { requests.breaker.note(error, for: first, at: now()) }
      if numbers.count == 1, error.mayBeThePages {
        _ = try await cache.save([fetched(first, nil, newest: newest)])
      }
      throw CatalogError.upstream(error)
    }
    requests.breaker.end()
    return try await cache.save(numbers.map { fetched($0, found[$0], newest: newest) })
  }

  private func fetched(
    _ number: Comic.Number,
    _ found: ExplainLookup?,
    newest: Comic.Number
  ) -> FetchedExplanation {
    let isNew = newest.ordinal - number.ordinal < ExplanationSchedule.newestCount
    func pause(_ outcome: StoredExplanation.Outcome, isIncomplete: Bool = false) -> Date {
      now().addingTimeInterval(
        ExplanationSchedule.pause(after: outcome, isIncomplete: isIncomplete, isNew: isNew)
      )
    }
    let outcome: FetchedExplanation.Outcome
    let lookAgain: Date
    switch found {
    case .page(let page) where page.wikitext.utf8.count <= ExplanationText.sizeLimit:
      let text = ExplanationText(
        pageRevision: page.revision,
        timestamp: page.timestamp,
        wikitext: Array(page.wikitext.utf8)
      )
      outcome = .page(text)
      lookAgain = pause(.page, isIncomplete: WikiPage(wikitext: Text(text.wikitext)).isIncomplete)
    case .page, .tooLong: (outcome, lookAgain) = (.tooLong, pause(.tooLong))
    case .missing: (outcome, lookAgain) = (.missing, pause(.missing))
    case nil: (outcome, lookAgain) = (.failed, pause(.failed))
    }
    return FetchedExplanation(number: number, outcome: outcome, fetchedAt: now(), lookAgain: lookAgain)
  }
}

extension UpstreamError {
  /// Whether a single page may be the cause; then a request without that page may succeed.
  fileprivate var mayBeThePages: Bool {
    switch self {
    case .malformed, .rejected, .unexpectedStatus, .notFound, .timedOut, .serverError: true
    case .unreachable, .rateLimited, .busy, .cancelled: false
    }
  }
}

/// When to ask explain xkcd about a comic again: soon for new comics, whose pages still change, else rarely.
enum ExplanationSchedule {
  /// How many comics count as new; their pages change by the hour.
  static let newestCount = 10

  private static let hour: TimeInterval = 3600
  private static let day: TimeInterval = 24 * hour

  /// The pause after a reply, in seconds.
  /// - Parameters:
  ///   - outcome: the result of the last request.
  ///   - isIncomplete: whether the page is marked as incomplete.
  ///   - isNew: whether the comic is one of the newest.
  static func pause(
    after outcome: StoredExplanation.Outcome,
    isIncomplete: Bool = false,
    isNew: Bool
  ) -> TimeInterval {
    switch outcome {
    case .failed: return day
    case _ where isNew: return 6 * hour
    case .missing: return 7 * day
    case .page: return isIncomplete ? 7 * day : 30 * day
    case .tooLong: return 30 * day
    }
  }
}
