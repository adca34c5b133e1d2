// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore
import LongboxStore
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
}
