// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

extension Search {
  /// Answers a question, with snippets from explanations; their texts are not in the index, so only hits
  /// without another snippet have theirs read.
  /// - Parameters:
  ///   - question: the question.
  ///   - run: runs a search, which may take long.
  ///   - text: reads the plain text of a comic's explanation.
  func results(
    for question: SearchQuestion,
    running run: (@escaping @Sendable () -> SearchResults) async throws -> SearchResults,
    text: (Comic.Number) async throws -> Text?
  ) async rethrows -> SearchResults {
    let results = try await run { self.results(for: question) }
    var found: [Comic.Number: Text] = [:]
    for hit in results.hits where hit.field == .explanation {
      found[hit.number] = try await text(hit.number)
    }
    let texts = found
    return texts.isEmpty ? results : try await run { self.results(for: question) { texts[$0] } }
  }
}
