// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore
public import LongboxStore
import LongboxUpstream

/// An explanation from explain xkcd, parsed from the stored wikitext.
public struct Explanation: Equatable, Sendable {
  /// The comic.
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
  /// It is stored.
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
