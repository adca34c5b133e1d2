// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore
public import LongboxStore
import LongboxUpstream
import Synchronization

/// An explanation from explain xkcd, parsed from the stored wikitext.
public struct Explanation: Equatable, Sendable {
  public let number: Comic.Number
  /// The first sentences.
  public let lead: Text
  /// The first sentences with their links.
  public let linkedLead: WikiDocument
  /// The whole text, without transcript and discussion.
  public let document: WikiDocument
  /// The day of the page's revision; nil if the wiki did not say.
  public let date: CalendarDate?
  /// Whether the page is marked as incomplete.
  public let isIncomplete: Bool
  /// Whether the wiki has more text than Longbox keeps.
  public let isCut: Bool
  /// Increases with each change of any explanation.
  public let change: Int

  /// Parses an explanation; nil if no page is stored.
  init?(_ stored: StoredExplanation) {
    guard let text = stored.text else { return nil }
    date = CalendarDate(timestamp: Text(string: text.timestamp))
    let page = WikiPage(wikitext: Text(text.wikitext), year: date?.year)
    number = stored.number
    lead = page.lead
    linkedLead = page.linkedLead
    document = page.explanation
    isIncomplete = page.isIncomplete
    isCut = page.isExplanationCut
    change = stored.change
  }
}

/// What is known of the explanation of a comic.
public enum ExplanationState: Equatable, Sendable {
  case stored(Explanation)
  /// The wiki has none, or one that is too long.
  case absent
  /// The wiki was not asked yet, or did not answer.
  case unknown

  init(_ stored: StoredExplanation?) {
    guard let stored else {
      self = .unknown
      return
    }
    if let explanation = Explanation(stored) {
      self = .stored(explanation)
    } else {
      self = stored.outcome == .failed ? .unknown : .absent
    }
  }

  /// What a store knows of an explanation, for read-only use; it asks no source.
  /// - Throws: `CatalogError.store` if the store can't be read.
  public static func stored(
    of number: Comic.Number,
    in store: Store
  ) async throws(CatalogError) -> ExplanationState {
    try await mappingErrors { ExplanationState(try await store.explanations.explanation(of: number)) }
  }
}

/// A stored explanation before parsing, because parsing all of them takes a minute.
public struct ExplanationSource: Sendable {
  private let stored: StoredExplanation?

  init(_ stored: StoredExplanation?) {
    self.stored = stored
  }

  /// The explanation, parsed.
  public var state: ExplanationState { ExplanationState(stored) }

  /// Everything that ``state`` depends on; equal contents give equal states.
  public var content: String {
    guard let stored else { return "" }
    let text = stored.text
    return [
      "\(stored.number.value)", "\(stored.change)", stored.outcome.rawValue, "\(text?.timestamp ?? "")",
      text.map { String(decoding: $0.wikitext, as: UTF8.self) } ?? "",
    ].joined(separator: "\u{0}")
  }
}

/// What the store knows of explanations, with the latest ones parsed in memory.
///
/// Only wikitext is stored. Everything else is parsed again, so that better rules improve stored pages too.
final class ExplanationCache: Sendable {
  private struct Memory {
    /// Increases with each change, so that a value read before a change is not cached after it.
    var changes = 0
    var totals: ExplanationTotals?
    /// The last change in the store when this node last looked.
    var lastChange = 0
  }

  private let store: Store
  private let states: MemoryCache<Comic.Number, ExplanationState>
  private let memory = Mutex(Memory())

  /// - Parameter memoryLimit: the most bytes of explanations in memory.
  init(store: Store, memoryLimit: Int) {
    self.store = store
    states = MemoryCache(limit: memoryLimit)
  }

  /// What is known of an explanation, without asking the wiki.
  func state(of number: Comic.Number) async throws -> ExplanationState {
    if let state = states[number] { return state }
    let changes = memory.withLock { $0.changes }
    let state = ExplanationState(try await store.explanations.explanation(of: number))
    // Under the lock, so that no change comes between the check and the insertion.
    memory.withLock { memory in
      if memory.changes == changes { states.insert(state, for: number, cost: state.cost) }
    }
    return state
  }

  /// Counts of the stored explanations.
  func totals() async throws -> ExplanationTotals {
    if let totals = memory.withLock({ $0.totals }) { return totals }
    let changes = memory.withLock { $0.changes }
    let totals = try await store.explanations.totals()
    memory.withLock { memory in
      if memory.changes == changes { memory.totals = totals }
    }
    return totals
  }

  /// Stores explanations.
  /// - Returns: the comics whose text has changed.
  func save(_ fetched: [FetchedExplanation]) async throws -> [Comic.Number] {
    let changed = try await store.explanations.save(fetched)
    memory.withLock { memory in
      memory.changes += 1
      memory.totals = nil
    }
    for explanation in fetched { states.remove(explanation.number) }
    return changed
  }

  /// Empties the memory if the store has newer changes, because another node may have made them.
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
    if hasChanged { states.removeAll() }
    return hasChanged
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
