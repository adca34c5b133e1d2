// Longbox
// SPDX-License-Identifier: MIT

/// What a search found.
public struct SearchResults: Equatable, Sendable {
  /// The hits that were asked for, the best first.
  public var hits: [SearchHit]
  /// The number of comics that were found, of which ``hits`` may be a part.
  public var total: Int
  /// The query with words in it respelt, where that would find more.
  public var didYouMean: Text?

  /// Makes results; by default of a search that found nothing.
  public init(hits: [SearchHit] = [], total: Int = 0, didYouMean: Text? = nil) {
    self.hits = hits
    self.total = total
    self.didYouMean = didYouMean
  }
}

/// A comic that a search found, and why.
public struct SearchHit: Equatable, Sendable {
  /// Which text of a comic.
  public enum Field: UInt8, Sendable {
    /// The title, or the number or date alone.
    case title = 0
    /// The alt text.
    case alt = 1
    /// The transcript.
    case transcript = 2
    /// The explanation, whose text is not in the archive: there is a snippet only where the host had it at hand.
    case explanation = 3
  }

  /// The comic.
  public var number: Comic.Number
  /// How well it fits; comparable within one search only.
  public var score: Float
  /// Where the words stand, or most of them.
  public var field: Field
  /// What to mark in the title, in bytes from its start; in order, apart from each other.
  public var titleMarks: [Range<Int>]
  /// A piece of a text around the words; empty where there is none.
  public var snippet: Text
  /// The text that the snippet is of: that of ``field``, or beside a title the one that says most.
  public var snippetField: Field
  /// What to mark in the snippet, in bytes from its start; in order, apart from each other.
  public var marks: [Range<Int>]
  /// Whether text was left out before the snippet.
  public var isCutBefore: Bool
  /// Whether text was left out after the snippet.
  public var isCutAfter: Bool
}
