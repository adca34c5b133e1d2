// Longbox
// SPDX-License-Identifier: MIT

/// A search request: all inputs of a search besides the archive.
public struct SearchQuestion: Equatable, Sendable {
  /// The query, of which 256 bytes and 32 words count.
  public var text: Text
  /// Whether to search all texts, or titles and numbers only.
  public var isDeep: Bool
  /// The maximum number of comics to return of those that a deep search finds besides a search of titles.
  public var mostInTexts: Int
  /// Whether the reader is still typing, so that the last word may be incomplete.
  public var isTyping: Bool
  /// The number of hits to skip.
  public var offset: Int
  /// The maximum number of hits to return.
  public var limit: Int
  /// The comics for `is:favorite`.
  public var favorites: ComicSet
  /// The comics for `is:read`.
  public var read: ComicSet
  /// Whether hits come with snippets; without, no explanation is read.
  public var hasSnippets = true

  public init(
    text: Text,
    isDeep: Bool = true,
    mostInTexts: Int = 0,
    isTyping: Bool = false,
    offset: Int = 0,
    limit: Int = 50,
    favorites: ComicSet = .empty,
    read: ComicSet = .empty
  ) {
    self.text = text
    self.isDeep = isDeep
    self.mostInTexts = mostInTexts
    self.isTyping = isTyping
    self.offset = offset
    self.limit = limit
    self.favorites = favorites
    self.read = read
  }
}

/// Finds comics by free text.
///
/// It reads the inverted indexes in the archive's segments in place. Any text is a valid query.
/// docs/search.md describes how it works.
public struct Search: Sendable {
  let archive: Archive
  let corpus: SearchCorpus
  let ranking: Ranking

  /// Creates a search; this takes some microseconds for a thousand comics.
  /// - Parameters:
  ///   - archive: the archive; comics in segments without an index are found by number and date only.
  ///   - explanations: the index of explanations, if any; ignored if only one of both is a sample box.
  public init(archive: Archive, explanations: ExplanationIndex? = nil) {
    self.init(archive: archive, explanations: explanations, ranking: Ranking())
  }

  package init(archive: Archive, explanations: ExplanationIndex?, ranking: Ranking) {
    self.archive = archive
    self.ranking = ranking
    let isFitting = explanations?.isSampleBox == archive.isSampleBox
    corpus = SearchCorpus(archive, explanations: isFitting ? explanations?.segments ?? [] : [], ranking)
  }

  /// Runs a search.
  /// - Parameters:
  ///   - question: the search request.
  ///   - explanation: the plain text of a comic's explanation, for a snippet, if the host has it.
  public func results(
    for question: SearchQuestion,
    explanation: @escaping (Comic.Number) -> Text? = { _ in nil }
  ) -> SearchResults {
    let query = SearchQuery(question.text)
    guard !query.isEmpty else { return SearchResults(hasExplanations: corpus.hasExplanations) }
    var (results, found) = results(for: query, question, explanation)
    guard !question.isDeep, question.mostInTexts > 0 else { return results }
    var inTexts = question
    inTexts.isDeep = true
    inTexts.offset = 0
    inTexts.limit = question.mostInTexts
    let deep = self.results(for: query, inTexts, explanation, without: found).results
    results.inTexts = SearchResults.InTexts(hits: deep.hits, totalOfDeepSearch: deep.total)
    results.missingTexts = deep.missingTexts
    results.isByDate = results.isByDate || deep.isByDate
    if results.total == 0 {
      if let meant = deep.didYouMean { (results.didYouMean, results.showsMeant) = (meant, deep.showsMeant) }
      if deep.total > 0 || deep.withoutQuotes != nil { results.withoutQuotes = deep.withoutQuotes }
    }
    return results
  }

  /// The numbers of all comics found, best first, without snippets.
  /// - Parameters:
  ///   - text: the query, of which 256 bytes and 32 words count.
  ///   - isDeep: whether to search all texts, or titles and numbers only.
  public func numbers(for text: Text, isDeep: Bool) -> [Comic.Number] {
    ranked(for: text, SearchQuestion(text: text, isDeep: isDeep)) { _ in nil }
      .compactMap { Comic.Number(Int($0.number)) }
  }

  /// Finds comics, and checks what the results offer instead.
  /// - Parameter known: comics that count and are not returned, because the reader sees them already.
  /// - Returns: the results, and all comics found.
  private func results(
    for query: SearchQuery,
    _ question: SearchQuestion,
    _ explanation: @escaping (Comic.Number) -> Text?,
    without known: [SearchRun.Candidate] = []
  ) -> (results: SearchResults, found: [SearchRun.Candidate]) {
    var run = SearchRun(self, query, question, explanation)
    let (found, page) = run.page(without: known)
    var results = run.results(of: page, total: found.count)
    // Only what finds comics is offered, and not as a question above its own comics.
    if let meant = run.meant() {
      let others = ranked(for: meant, question, explanation)
      results.didYouMean = others.isEmpty ? nil : meant
      results.showsMeant = !others.isEmpty && others.first?.number == found.first?.number
    }
    if found.isEmpty, let bare = query.withoutQuotes, !ranked(for: bare, question, explanation).isEmpty {
      results.withoutQuotes = bare
    }
    return (results, found)
  }

  /// All comics that a text finds in place of the question's, best first.
  private func ranked(
    for text: Text,
    _ question: SearchQuestion,
    _ explanation: @escaping (Comic.Number) -> Text?
  ) -> [SearchRun.Candidate] {
    var run = SearchRun(self, SearchQuery(text), question, explanation)
    return run.ranked()
  }

  /// Runs a search of all texts for the first 50 hits.
  public func results(for text: Text) -> SearchResults { results(for: SearchQuestion(text: text)) }
}

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
  /// Whether explanations could be searched, because their index was there, or did not have to be.
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
    case alt = 1
    case transcript = 2
    /// The explanation, whose text is not in the archive; it has a snippet only if the host has the text.
    case explanation = 3
  }

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

/// A set of comics, as bits.
public struct ComicSet: Equatable, Sendable {
  private(set) var bits: [UInt8]

  /// Creates a set.
  /// - Parameters:
  ///   - latest: the greatest number that the set can contain.
  ///   - contains: whether the set contains a comic.
  public init(upTo latest: Comic.Number, _ contains: (Comic.Number) -> Bool) {
    bits = Array(repeating: 0, count: latest.value / 8 + 1)
    for value in 1...latest.value {
      guard let number = Comic.Number(value), contains(number) else { continue }
      bits[value / 8] |= 1 << UInt8(value % 8)
    }
  }

  /// Creates a set of comics.
  /// - Parameter latest: the greatest number that the set can contain; greater ones are left out.
  public init(upTo latest: Comic.Number, _ comics: [Comic.Number]) {
    bits = Array(repeating: 0, count: latest.value / 8 + 1)
    for number in comics where number <= latest { bits[number.value / 8] |= 1 << UInt8(number.value % 8) }
  }

  /// Creates a set from its bits: comic 9 is bit 1 of byte 1.
  public init(bits: [UInt8]) {
    self.bits = bits
  }

  public static var empty: ComicSet { ComicSet(bits: []) }

  public func contains(_ number: Comic.Number) -> Bool {
    let index = number.value / 8
    return index < bits.count && bits[index] & 1 << UInt8(number.value % 8) != 0
  }
}
