// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

extension Search {
  /// Answers a question, with snippets from explanations; their texts are not in the index, so those
  /// of hits without another snippet are read, and some for a phrase that is in no other text.
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
    for number in results.missingTexts where found[number] == nil {
      found[number] = try await text(number)
    }
    let texts = found
    return texts.isEmpty ? results : try await run { self.results(for: question) { texts[$0] } }
  }
}
