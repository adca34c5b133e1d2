// Longbox
// SPDX-License-Identifier: MIT

public import struct Foundation.Date
public import struct LongboxCore.Comic

/// Everything stored about a comic's explanation.
public struct StoredExplanation: Hashable, Sendable {
  /// The result of the last request.
  public enum Outcome: String, CaseIterable, Sendable {
    /// The page came.
    case page
    /// There was no page.
    case missing
    /// The page was too long to be read.
    case tooLong
    /// The answer could not be used.
    case failed
  }

  /// The comic's number.
  public let number: Comic.Number
  /// The result of the last request.
  public let outcome: Outcome
  /// The last page that came, whatever later requests returned; nil if none ever came.
  public let text: ExplanationText?
  /// When the wiki was last asked, to the second.
  public let fetchedAt: Date
  /// When to ask again, to the second, or nil.
  public let lookAgain: Date?
  /// Increases with each change of any text; no two explanations have the same.
  public let change: Int
}

/// Counts of the stored explanations.
public struct ExplanationTotals: Hashable, Sendable {
  /// The comics whose page is stored.
  public var pages: Int
  /// The total wikitext in bytes.
  public var bytes: Int
  /// The comics whose page does not exist or can't be read.
  public var absent: Int
  /// The last change of any text, or 0.
  public var change: Int
}
