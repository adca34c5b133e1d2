// Longbox
// SPDX-License-Identifier: MIT

/// The results of a search.
public struct SearchResults: Equatable, Sendable {
  /// The requested hits, best first.
  public var hits: [SearchHit]
  /// The total number of comics found.
  public var total: Int
  /// A corrected query that finds comics, if any.
  public var didYouMean: Text?
  /// Whether these are the comics of ``didYouMean`` already, because the words as they are typed are nowhere.
  public var showsMeant = false
  /// The query without quotation marks, if it finds comics and its phrases are nowhere.
  public var withoutQuotes: Text?
  /// Whether the query asks for days, so that the dates of the comics matter.
  public var isByDate = false
  /// What all texts contain besides these hits; nil if that was not asked.
  public var inTexts: InTexts?
  /// Whether explanations could be searched, because their index was there.
  public var hasExplanations: Bool
  /// The comics whose explanation was asked for and not there: with its text, there may be another hit or a snippet.
  public var missingTexts: [Comic.Number] = []

  /// What a deep search finds besides a search of titles.
  public struct InTexts: Equatable, Sendable {
    /// The requested hits, without those in titles, best first.
    public var hits: [SearchHit]
    /// The total number of comics that the deep search finds, with those in titles.
    public var totalOfDeepSearch: Int
  }

  /// Creates results, by default empty.
  public init(
    hits: [SearchHit] = [],
    total: Int = 0,
    didYouMean: Text? = nil,
    hasExplanations: Bool = false
  ) {
    self.hits = hits
    self.total = total
    self.didYouMean = didYouMean
    self.hasExplanations = hasExplanations
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
