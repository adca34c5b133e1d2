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
    guard !query.isEmpty else { return SearchResults() }
    var run = SearchRun(self, query, options)
    return run.results()
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
