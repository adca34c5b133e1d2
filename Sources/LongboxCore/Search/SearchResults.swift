// Longbox
// SPDX-License-Identifier: MIT

/// The results of a search.
public struct SearchResults: Equatable, Sendable {
  /// The requested hits, best first.
  public var hits: [SearchHit]
  /// The total number of comics found.
  public var total: Int
  /// A corrected query that would find more, if any.
  public var didYouMean: Text?

  /// Creates results, by default empty.
  public init(hits: [SearchHit] = [], total: Int = 0, didYouMean: Text? = nil) {
    self.hits = hits
    self.total = total
    self.didYouMean = didYouMean
  }
}

/// A comic that a search found, with snippets.
public struct SearchHit: Equatable, Sendable {
  /// A text of a comic.
  public enum Field: UInt8, Sendable {
    /// The title, or only the number or date.
    case title = 0
    /// The alt text.
    case alt = 1
    /// The transcript.
    case transcript = 2
    /// The explanation, whose text is not in the archive; it has a snippet only if the host has the text.
    case explanation = 3
  }

  /// The comic.
  public var number: Comic.Number
  /// The relevance; comparable only within one search.
  public var score: Float
  /// The field with most of the words.
  public var field: Field
  /// The ranges to highlight in the title, in bytes; in order, without overlaps, one for each word.
  public var titleMarks: [Range<Int>]
  /// An excerpt around the words, or empty.
  public var snippet: Text
  /// The field of the snippet: ``field``, or for a title match the most relevant other one.
  public var snippetField: Field
  /// The ranges to highlight in the snippet, in bytes; in order, without overlaps, one for each word.
  public var marks: [Range<Int>]
  /// Whether text precedes the snippet.
  public var isCutBefore: Bool
  /// Whether text follows the snippet.
  public var isCutAfter: Bool
}
