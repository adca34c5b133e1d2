// Longbox
// SPDX-License-Identifier: MIT

import Foundation
package import LongboxUpstream
import Synchronization

/// A fake explain xkcd in the process, which can be made to fail and records its requests.
package final class FakeWiki: Sendable {
  private struct State {
    var pages: [Int: String] = [:]
    /// The revision of each page; `latestRevision` counts across the wiki.
    var revisions: [Int: Int] = [:]
    var latestRevision = 1
    var failure: UpstreamError?
    var unreadable: Set<Int> = []
    var questions: [[Int]] = []
  }

  private struct Body: Encodable {
    struct Page: Encodable {
      var title: String
      var missing: Bool?
      var revisions: [Revision]?
    }

    struct Revision: Encodable {
      var revid: Int
      var timestamp = "2024-05-03T10:00:00Z"
      var slots: [String: [String: String]]
    }

    var query: [String: [Page]]
  }

  private let state = Mutex(State())

  /// Writes a short page about each of some comics.
  package init(about numbers: some Sequence<Int> = []) {
    for number in numbers { write(Self.page(about: number), about: number) }
  }

  /// A page with an explanation and a transcript.
  package static func page(about number: Int, _ words: String = "It is a joke.") -> String {
    "==Explanation==\nThis is comic \(number). \(words)\n\n==Transcript==\n:[A box.]\n:Pim: Number \(number)."
  }

  /// Writes a page, or removes it where the text is nil.
  package func write(_ wikitext: String?, about number: Int) {
    state.withLock { state in
      state.pages[number] = wikitext
      state.latestRevision += 1
      state.revisions[number] = state.latestRevision
    }
  }

  /// Makes every request fail, or succeed again with nil.
  package func fail(_ error: UpstreamError?) {
    state.withLock { $0.failure = error }
  }

  /// Makes every reply that would hold this page unreadable.
  package func spoil(_ number: Int) {
    state.withLock { _ = $0.unreadable.insert(number) }
  }

  /// The numbers of each request since the last call.
  package func takeQuestions() -> [[Int]] {
    state.withLock { state in
      defer { state.questions = [] }
      return state.questions
    }
  }

  /// A client of this wiki.
  package var client: ExplainClient { ExplainClient(transport: transport) }

  private var transport: Transport {
    Transport { exchange throws(UpstreamError) in
      let items = URLComponents(string: exchange.address.target)?.queryItems
      let titles = items?.first { $0.name == "titles" }?.value ?? ""
      let numbers = titles.split(separator: "|").compactMap { Int($0) }
      let (failure, isSpoilt, pages) = self.state.withLock { state in
        state.questions.append(numbers)
        let pages = numbers.map { number in
          guard let text = state.pages[number] else { return Body.Page(title: "\(number)", missing: true) }
          let revision = Body.Revision(
            revid: state.revisions[number] ?? 1,
            slots: ["main": ["content": text]]
          )
          return Body.Page(title: "\(number)", revisions: [revision])
        }
        return (state.failure, !state.unreadable.isDisjoint(with: numbers), pages)
      }
      if let failure { throw failure }
      let body =
        isSpoilt
        ? Data("<html>".utf8) : (try? JSONEncoder().encode(Body(query: ["pages": pages]))) ?? Data()
      return Reply(status: 200, body: [UInt8](body), address: exchange.address)
    }
  }
}
