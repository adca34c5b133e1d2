// Longbox
// SPDX-License-Identifier: MIT

public import struct Foundation.Date
public import struct LongboxCore.Comic

/// All that is stored of what explain xkcd says about a comic.
public struct StoredExplanation: Hashable, Sendable {
  /// What came of the last question.
  public enum Outcome: String, CaseIterable, Sendable {
    /// The page came.
    case page
    /// There was none.
    case missing
    /// It was longer than is read.
    case tooLong
    /// The answer could not be used.
    case failed
  }

  /// The comic's number.
  public let number: Comic.Number
  /// What came of the last question.
  public let outcome: Outcome
  /// The last page that came, whatever came of later questions; nothing where none ever did.
  public let text: ExplanationText?
  /// When the wiki was last asked, to the second.
  public let fetchedAt: Date
  /// When to ask again of our own accord, to the second, or nothing.
  public let lookAgain: Date?
  /// Grows with each change of any text; no two explanations have the same.
  public let change: Int
}

/// How much is stored of the explanations.
public struct ExplanationTotals: Hashable, Sendable {
  /// The comics whose page is stored.
  public var pages: Int
  /// The wikitext of all of them, in bytes.
  public var bytes: Int
  /// The comics that were asked about and have no page, or one that can't be read.
  public var absent: Int
  /// The last change of any text, 0 where there was none.
  public var change: Int
}
