// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore
import LongboxStore
import Testing
import TestSupport

@Suite("Explanations in the store") struct StoreExplanationsTests {
  let folder = TemporaryFolder()

  @Test(arguments: Engine.tested)
  func `are stored as they were sent`(engine: Engine) async throws {
    let store = try await engine.open(folder.url)
    #expect(try await store.explanations.explanation(of: number(353)) == nil)
    let changed = try await store.explanations.save([
      page(353, "''Fly!''\u{0}", revision: 7, lookAgain: testDate(60))
    ])
    #expect(changed.map(\.value) == [353])
    let stored = try #require(try await store.explanations.explanation(of: number(353)))
    #expect(stored.outcome == .page)
    #expect(stored.text?.wikitext == Array("''Fly!''\u{0}".utf8))
    #expect(stored.text?.pageRevision == 7)
    #expect(stored.text?.timestamp == "2024-05-03T10:00:00Z")
    #expect(stored.fetchedAt == testDate())
    #expect(stored.lookAgain == testDate(60))
  }

  @Test(arguments: Engine.tested)
  func `change with another page, but not with the same page again`(engine: Engine) async throws {
    let store = try await engine.open(folder.url)
    try await store.explanations.save([page(1, "a"), page(2, "b"), page(3, "c")])
    let known = try await store.explanations.totals().change
    let changed = try await store.explanations.save([page(2, "b"), page(3, "C", revision: 2)])
    #expect(changed.map(\.value) == [3])
    #expect(
      try await store.explanations.explanations(changedSince: known, limit: 9).map(\.number.value) == [3]
    )
    #expect(
      try await store.explanations.explanations(changedSince: 0, limit: 9).map(\.number.value) == [1, 2, 3]
    )
    #expect(
      try await store.explanations.explanations(changedSince: 0, limit: 2).map(\.number.value) == [1, 2]
    )
  }

  @Test(arguments: [FetchedExplanation.Outcome.missing, .tooLong, .failed])
  func `are kept when a later fetch brings none`(outcome: FetchedExplanation.Outcome) async throws {
    let store = try Store.open(folder.url)
    try await store.explanations.save([page(5, "text")])
    let known = try await store.explanations.totals().change
    #expect(try await store.explanations.save([answer(5, outcome)]).isEmpty)
    let stored = try #require(try await store.explanations.explanation(of: number(5)))
    #expect(stored.outcome != .page)
    #expect(stored.text?.wikitext == Array("text".utf8))
    let totals = try await store.explanations.totals()
    #expect((totals.pages, totals.bytes, totals.absent, totals.change) == (1, 4, 0, known))
  }

  @Test(arguments: Engine.tested)
  func `are due newest first when never fetched or to be checked again, without 404`(engine: Engine)
    async throws
  {
    let store = try await engine.open(folder.url)
    try await store.explanations.save([
      page(406, "", lookAgain: testDate(60)), answer(405, .missing), page(403, "", lookAgain: testDate(90)),
    ])
    func due(_ date: Date) async throws -> [Int] {
      try await store.explanations.numbersToFetch(upTo: number(406), dueBy: date, limit: 3).map(\.value)
    }
    #expect(try await due(testDate(59)) == [402, 401, 400])
    #expect(try await due(testDate(60)) == [406, 402, 401])
    #expect(try await store.explanations.nextFetch(after: testDate(59)) == testDate(60))
    #expect(try await store.explanations.nextFetch(after: testDate(60)) == testDate(90))
    #expect(try await store.explanations.nextFetch(after: testDate(90)) == nil)
  }

  @Test(arguments: Engine.tested)
  func `don't wait for a time that was stored while the clock was ahead`(engine: Engine) async throws {
    let store = try await engine.open(folder.url)
    let longest = StoredPause.explanation.longest
    try await store.explanations.save([
      page(1, "", lookAgain: testDate(longest)), page(2, "", lookAgain: testDate(10 * longest)),
    ])
    for date in [testDate(), testDate(-60)] {
      let due = try await store.explanations.numbersToFetch(upTo: number(2), dueBy: date, limit: 3)
      #expect(due.map(\.value) == [2])
    }
    #expect(try await store.explanations.nextFetch(after: testDate()) == testDate(longest))
  }

  @Test(arguments: Engine.tested)
  func `change the comics whose transcripts they give or complete`(engine: Engine) async throws {
    let store = try await engine.open(folder.url)
    try await store.comics.save([record(580), record(581), record(1608), record(1609)])
    let before = try await store.comics.revision()
    try await store.explanations.save([580, 581, 1608, 1609, 1610].map { try page($0, "text") })
    #expect(
      try await store.comics.comics(changedSince: before).map(\.number.value) == [580, 581, 1608, 1609]
    )
    let after = try await store.comics.revision()
    try await store.explanations.save([page(1609, "text"), answer(581, .missing)])
    #expect(try await store.comics.revision() == after)
  }

  private func page(
    _ value: Int,
    _ wikitext: String,
    revision: Int = 1,
    lookAgain: Date? = nil
  ) throws -> FetchedExplanation {
    let text = ExplanationText(
      pageRevision: revision,
      timestamp: "2024-05-03T10:00:00Z",
      wikitext: Array(wikitext.utf8)
    )
    return try answer(value, .page(text), lookAgain: lookAgain)
  }

  private func answer(
    _ value: Int,
    _ outcome: FetchedExplanation.Outcome,
    lookAgain: Date? = nil
  ) throws -> FetchedExplanation {
    try FetchedExplanation(
      number: number(value),
      outcome: outcome,
      fetchedAt: testDate(),
      lookAgain: lookAgain
    )
  }
}
