// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore
import LongboxStore

/// What explain xkcd says about a comic, read from the wikitext that is stored.
public struct Explanation: Equatable, Sendable {
  /// The comic.
  public let number: Comic.Number
  /// The first sentences that explain.
  public let lead: Text
  /// The whole of it, but for transcript and discussion.
  public let document: WikiDocument
  /// The day of the page's revision; nothing where the wiki did not say.
  public let date: CalendarDate?
  /// Whether the page says of itself that it is not complete.
  public let isIncomplete: Bool
  /// Whether there is more on the wiki than is kept.
  public let isCut: Bool
  /// Grows with each change of any explanation.
  public let change: Int

  /// Reads an explanation; nothing where no page is stored.
  init?(_ stored: StoredExplanation) {
    guard let text = stored.text else { return nil }
    let page = WikiPage(wikitext: Text(text.wikitext))
    number = stored.number
    lead = page.lead
    document = page.explanation
    date = CalendarDate(timestamp: text.timestamp)
    isIncomplete = page.isIncomplete
    isCut = page.isExplanationCut
    change = stored.change
  }
}

/// What is known of the explanation of a comic.
public enum ExplanationState: Equatable, Sendable {
  /// It is stored.
  case stored(Explanation)
  /// The wiki was asked and has none, or one that is too long to be read.
  case absent
  /// The wiki was not asked yet, or not with success.
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

extension CalendarDate {
  /// The day of a timestamp as MediaWiki writes it, `2024-05-03T10:00:00Z`.
  init?(timestamp: String) {
    let parts = timestamp.prefix(10).split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 3, let year = parts[0], let month = parts[1], let day = parts[2] else { return nil }
    self.init(year: year, month: month, day: day)
  }
}
