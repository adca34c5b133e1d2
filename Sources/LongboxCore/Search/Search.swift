// Longbox
// SPDX-License-Identifier: MIT

/// Finds comics by what somebody typed.
///
/// It reads the inverted indexes that stand in the archive's segments, in place. Any text is a query. What it does and
/// how well is in docs/search.md.
public struct Search: Sendable {
  let archive: Archive
  let corpus: SearchCorpus
  let ranking: Ranking

  /// Makes ready to search; it takes some microseconds for a thousand comics.
  /// - Parameters:
  ///   - archive: what is searched; a segment without an index is found by number and date only.
  ///   - explanations: the index of explanations, where it is at hand; one of another box is passed over.
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
  ///   - text: what was typed, of which 256 bytes and 32 words count.
  ///   - options: what else is asked for.
  public func results(for text: Text, options: SearchOptions = SearchOptions()) -> SearchResults {
    let query = SearchQuery(text)
    guard !query.isEmpty else { return SearchResults() }
    var run = SearchRun(self, query, options)
    return run.results()
  }

  /// The numbers of all comics that are found, the best first: for who shows them otherwise, and needs no snippets.
  /// - Parameters:
  ///   - text: what is looked for, of which 256 bytes and 32 words count.
  ///   - isDeep: whether all texts are searched, or titles and numbers only.
  public func numbers(for text: Text, isDeep: Bool) -> [Comic.Number] {
    let query = SearchQuery(text)
    guard !query.isEmpty else { return [] }
    var run = SearchRun(self, query, SearchOptions(isDeep: isDeep))
    return run.ranked().compactMap { Comic.Number(Int($0.number)) }
  }
}
