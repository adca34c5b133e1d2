// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore
import LongboxStore
import LongboxUpstream
import Synchronization

/// The explanations of one repository's comics, from memory, the disk or the wiki.
///
/// Only wikitext is stored. Everything else is parsed again, so that better rules improve stored pages too.
final class Explanations: Sendable {
  private struct Memory {
    /// Increases with each change, so that a value read before a change is not cached after it.
    var changes = 0
    var totals: ExplanationTotals?
    /// The last change in the store when this node last looked.
    var lastChange = 0
    var batchSize = ExplainClient.batchSize
  }

  private let store: Store
  private let client: ExplainClient?
  private let now: @Sendable () -> Date
  /// Requests that readers wait for.
  let requests = SourceRequests<Comic.Number>(to: .explain)
  private let cache: MemoryCache<Comic.Number, ExplanationState>
  private let memory = Mutex(Memory())

  init(
    store: Store,
    client: ExplainClient?,
    memoryLimit: Int,
    now: @escaping @Sendable () -> Date
  ) {
    self.store = store
    self.client = client
    self.now = now
    cache = MemoryCache(limit: memoryLimit)
  }

  /// What is known of an explanation, without asking the wiki.
  func state(of number: Comic.Number) async throws -> ExplanationState {
    if let state = cache[number] { return state }
    let changes = memory.withLock { $0.changes }
    let state = ExplanationState(try await store.explanations.explanation(of: number))
    // Under the lock, so that no change comes between the check and the insertion.
    memory.withLock { memory in
      if memory.changes == changes { cache.insert(state, for: number, cost: state.cost) }
    }
    return state
  }

  /// Asks the wiki about comics and stores the results.
  /// - Parameters:
  ///   - numbers: which comics, at most ``ExplainClient/batchSize``.
  ///   - newest: the newest comic. The newest comics are checked again soon.
  ///   - isBackground: whether no reader waits.
  /// - Returns: the comics whose text has changed.
  /// - Throws: `CatalogError`. If a single page was requested and may be at fault, its failure is stored.
  func fetch(_ numbers: [Comic.Number], newest: Comic.Number, isBackground: Bool) async throws -> [Comic
    .Number]
  {
    guard let client, let first = numbers.first else { return [] }
    let found: [Comic.Number: ExplainLookup]
    do throws(UpstreamError) {
      found = try await client.pages(about: numbers, isBackground: isBackground)
    } catch {
      // A server that rejects background work may still answer a reader.
      if !isBackground || error.retryAfter == nil { requests.breaker.note(error, for: first, at: now()) }
      if numbers.count == 1, error.mayBeThePages {
        _ = try await save([fetched(first, nil, newest: newest)])
      }
      throw CatalogError.upstream(error)
    }
    requests.breaker.end()
    return try await save(numbers.map { fetched($0, found[$0], newest: newest) })
  }

  func due(upTo newest: Comic.Number) async throws -> [Comic.Number] {
    guard client != nil else { return [] }
    let limit = memory.withLock { $0.batchSize }
    return try await store.explanations.numbersToFetch(upTo: newest, dueBy: now(), limit: limit)
  }

  /// Adapts the size of the next batch: larger after success, smaller after a failure that one page may have
  /// caused.
  ///
  /// A bad page ends up alone, so it doesn't block the others.
  func noteBatch(failure: UpstreamError?) {
    memory.withLock { memory in
      switch failure {
      case nil: memory.batchSize = min(memory.batchSize * 5, ExplainClient.batchSize)
      case let failure? where failure.mayBeThePages: memory.batchSize = max(memory.batchSize / 5, 1)
      default: break
      }
    }
  }

  private func save(_ fetched: [FetchedExplanation]) async throws -> [Comic.Number] {
    let changed = try await store.explanations.save(fetched)
    memory.withLock { memory in
      memory.changes += 1
      memory.totals = nil
    }
    for explanation in fetched { cache.remove(explanation.number) }
    return changed
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

  /// Empties the cache if the store has newer changes, because another node may have made them.
  /// - Returns: whether there were any.
  func forgetChanged() async throws -> Bool {
    let totals = try await store.explanations.totals()
    let hasChanged = memory.withLock { memory in
      guard totals.change > memory.lastChange else { return false }
      memory.lastChange = totals.change
      memory.changes += 1
      memory.totals = nil
      return true
    }
    if hasChanged { cache.removeAll() }
    return hasChanged
  }

  func totals() async throws -> ExplanationTotals {
    if let totals = memory.withLock({ $0.totals }) { return totals }
    let changes = memory.withLock { $0.changes }
    let totals = try await store.explanations.totals()
    memory.withLock { memory in
      if memory.changes == changes { memory.totals = totals }
    }
    return totals
  }
}

extension ExplanationState {
  /// The approximate size in memory, in bytes.
  fileprivate var cost: Int {
    guard case .stored(let explanation) = self else { return 64 }
    return 256 + explanation.lead.count + explanation.linkedLead.bytes.count
      + explanation.document.bytes.count
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
