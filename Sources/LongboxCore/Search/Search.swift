// Longbox
// SPDX-License-Identifier: MIT

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

  /// Finds comics.
  /// - Parameters:
  ///   - text: the query, of which 256 bytes and 32 words count.
  ///   - options: further options.
  public func results(for text: Text, options: SearchOptions = SearchOptions()) -> SearchResults {
    let query = SearchQuery(text)
    guard !query.isEmpty else { return SearchResults(hasExplanations: corpus.hasExplanations) }
    return results(for: query, options).results
  }

  /// Finds comics, and checks what the results offer instead.
  /// - Parameter known: comics that count and are not returned, because the reader sees them already.
  /// - Returns: the results, and all comics found.
  func results(for query: SearchQuery, _ options: SearchOptions, without known: [SearchRun.Candidate] = [])
    -> (results: SearchResults, found: [SearchRun.Candidate])
  {
    var run = SearchRun(self, query, options)
    let (found, page) = run.page(without: known)
    var results = run.results(of: page, total: found.count)
    // Only what finds comics is offered, and not as a question above its own comics.
    if let meant = run.meant() {
      let others = ranked(for: meant, options)
      results.didYouMean = others.isEmpty ? nil : meant
      results.showsMeant = !others.isEmpty && others.first?.number == found.first?.number
    }
    if found.isEmpty, let bare = query.withoutQuotes, !ranked(for: bare, options).isEmpty {
      results.withoutQuotes = bare
    }
    return (results, found)
  }

  private func ranked(for text: Text, _ options: SearchOptions) -> [SearchRun.Candidate] {
    var run = SearchRun(self, SearchQuery(text), options)
    return run.ranked()
  }

  /// The numbers of all comics found, best first, without snippets.
  /// - Parameters:
  ///   - text: the query, of which 256 bytes and 32 words count.
  ///   - isDeep: whether to search all texts, or titles and numbers only.
  public func numbers(for text: Text, isDeep: Bool) -> [Comic.Number] {
    let query = SearchQuery(text)
    guard !query.isEmpty else { return [] }
    var run = SearchRun(self, query, SearchOptions(isDeep: isDeep))
    return run.ranked().compactMap { Comic.Number(Int($0.number)) }
  }
}
