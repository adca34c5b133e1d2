// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import Foundation
import LongboxCore
import LongboxStore
import LongboxUpstream
import Testing
import TestSupport

@testable import LongboxCatalog

@Suite("Explanations", .timeLimit(.minutes(10))) struct ExplanationsTests {
  private let hour: TimeInterval = 3600

  /// Fetches explanations until none is due.
  private func fill(_ bench: CatalogBench) async throws {
    while case .worked = try await bench.catalog.refresher.explanationStep() {}
  }

  @Test func `are fetched fifty at a time, newest first, each once`() async throws {
    let folder = TemporaryFolder()
    let wiki = FakeWiki(about: 1...70)
    try await withCatalog(FakeXkcd(latest: 70), wiki: wiki, in: folder) { bench async throws in
      await bench.catalog.prepare()
      guard case .worked = try await bench.catalog.refresher.explanationStep() else {
        Issue.record("nothing was due")
        return
      }
      #expect(wiki.takeQuestions() == [Array((21...70).reversed())])
    }
    try await withCatalog(FakeXkcd(latest: 70), wiki: wiki, in: folder) { bench async throws in
      await bench.catalog.prepare()
      try await fill(bench)
      #expect(wiki.takeQuestions() == [Array((1...20).reversed())], "it goes on where it was stopped")
      #expect(bench.catalog.snapshot.progress?.explanations == 70)
      let state = try await bench.catalog.explanation(of: Comic.Number(of: 7))
      guard case .stored(let explanation) = state else {
        Issue.record("\(state)")
        return
      }
      #expect(explanation.lead == "This is comic 7. It is a joke.")
      #expect(explanation.date == CalendarDate(year: 2024, month: 5, day: 3))
    }
  }

  @Test func `are checked again: the newest ten within hours, the others monthly`() async throws {
    let wiki = FakeWiki(about: 1...30)
    wiki.write(nil, about: 30)
    wiki.write("{{incomplete}}\n" + FakeWiki.page(about: 3), about: 3)
    wiki.write(nil, about: 4)
    try await withCatalog(FakeXkcd(latest: 30), wiki: wiki) { bench async throws in
      await bench.catalog.prepare()
      try await fill(bench)
      _ = wiki.takeQuestions()
      bench.time.advance(by: 6 * hour - 60)
      try await fill(bench)
      #expect(wiki.takeQuestions().isEmpty)
      wiki.write(FakeWiki.page(about: 30), about: 30)
      let generation = bench.catalog.generation
      bench.time.advance(by: 60)
      try await fill(bench)
      #expect(wiki.takeQuestions() == [Array((21...30).reversed())])
      #expect(bench.catalog.generation > generation, "pages are rendered again")
      guard case .stored = try await bench.catalog.explanation(of: Comic.Number(of: 30)) else {
        Issue.record("the page that was written in the meantime is missing")
        return
      }
      bench.time.advance(by: 7 * 24 * hour)
      try await fill(bench)
      #expect(
        wiki.takeQuestions() == [Array((21...30).reversed()) + [4, 3]],
        "what is incomplete, by the week"
      )
      bench.time.advance(by: 30 * 24 * hour)
      try await fill(bench)
      #expect(wiki.takeQuestions() == [Array((1...30).reversed())])
    }
  }

  @Test func `provide the transcripts that xkcd lacks, even after the comic`() async throws {
    let wiki = FakeWiki(about: 1608...1610)
    try await withCatalog(FakeXkcd(latest: 1610, from: 1607), wiki: wiki) { bench async throws in
      await bench.catalog.prepare()
      for number in 1607...1610 { try await bench.catalog.ensure(Comic.Number(of: number)) }
      func transcript(_ number: Int) -> Text? {
        bench.catalog.snapshot.archive.comic(Comic.Number(of: number))?.transcript
      }
      let before = bench.catalog.snapshot.archive
      let own = transcript(1608)
      #expect(transcript(1609)?.isEmpty == true)
      try await fill(bench)
      #expect(transcript(1609) == "[[A box.]]\nPim: Number 1609.")
      #expect(transcript(1608) == own)
      let copy = ArchiveCopy(revision: before.revision, rules: before.rules, isSampleBox: false)
      let update = try #require(try await bench.catalog.update(for: copy))
      let updated = update.revision == 0 ? before : try Archive(update)
      #expect(updated.comic(Comic.Number(of: 1610))?.transcript == "[[A box.]]\nPim: Number 1610.")
      wiki.write(FakeWiki.page(about: 1610).replacing("Pim", with: "Oda"), about: 1610)
      bench.time.advance(by: 6 * hour)
      try await fill(bench)
      #expect(transcript(1610) == "[[A box.]]\nOda: Number 1610.")
    }
  }

  @Test func `provide the topics of a comic, also when the wiki changes them`() async throws {
    let wiki = FakeWiki(about: 1...3)
    wiki.write(FakeWiki.page(about: 2) + "\n[[Category:Comics featuring Pim]]\n[[Category:Bread]]", about: 2)
    try await withCatalog(FakeXkcd(latest: 3), wiki: wiki) { bench async throws in
      await bench.catalog.prepare()
      for number in 1...3 { try await bench.catalog.ensure(Comic.Number(of: number)) }
      func topics(_ number: Int) -> [Text]? {
        bench.catalog.snapshot.archive.comic(Comic.Number(of: number))?.topics.map(\.name)
      }
      #expect(topics(2) == [])
      try await fill(bench)
      #expect(topics(1) == [])
      #expect(topics(2) == ["Pim", "Bread"])
      #expect(bench.catalog.snapshot.archive.topic("bread")?.count == 1)
      wiki.write(FakeWiki.page(about: 2) + "[[Category:Jam]]", about: 2)
      bench.time.advance(by: 30 * 24 * hour)
      try await fill(bench)
      #expect(topics(2) == ["Jam"])
      #expect(bench.catalog.snapshot.archive.topic("bread") == nil)
      let stored = try await StoredCatalog(bench.store).archive
      #expect(stored.topics.map(\.key) == ["jam"])
    }
  }

  @Test func `are fetched once when a reader asks for one that is not stored`() async throws {
    let wiki = FakeWiki(about: [2])
    try await withCatalog(FakeXkcd(latest: 3), wiki: wiki) { bench async throws in
      await bench.catalog.prepare()
      #expect(try await bench.catalog.explanation(of: Comic.Number(of: 2)) == .unknown)
      #expect(wiki.takeQuestions().isEmpty, "looking asks no source")
      for _ in 0..<2 {
        let state = try await bench.catalog.explanation(of: Comic.Number(of: 2), within: .seconds(60))
        guard case .stored = state else {
          Issue.record("\(state)")
          return
        }
        #expect(try await bench.catalog.explanation(of: Comic.Number(of: 3), within: .seconds(60)) == .absent)
      }
      #expect(wiki.takeQuestions() == [[2], [3]])
    }
  }

  @Test func `fail at once while the wiki is down, and are fetched again later`() async throws {
    let wiki = FakeWiki(about: 1...5)
    let down = UpstreamError.unreachable(.explain, reason: "there is no network")
    wiki.fail(down)
    try await withCatalog(FakeXkcd(latest: 5), wiki: wiki) { bench async throws in
      await bench.catalog.prepare()
      for number in [1, 2, 3, 4] {
        await #expect(throws: CatalogError.upstream(down)) {
          _ = try await bench.catalog.explanation(of: Comic.Number(of: number), within: .seconds(60))
        }
      }
      #expect(wiki.takeQuestions() == [[1], [2]], "after two failures no reader waits for it")
      guard case .sourceDown = try await bench.catalog.refresher.explanationStep() else {
        Issue.record("the fill does not notice")
        return
      }
      #expect(try await bench.store.explanations.totals().absent == 0, "no comic counts as failed")
      wiki.fail(nil)
      try await fill(bench)
      guard case .stored = try await bench.catalog.explanation(of: Comic.Number(of: 4), within: .seconds(60))
      else {
        Issue.record("it is not there although the wiki is back")
        return
      }
      #expect(bench.catalog.snapshot.downSince == nil, "xkcd answers all the while")
    }
  }

  @Test func `are fetched despite a page that spoils every reply`() async throws {
    let wiki = FakeWiki(about: 1...60)
    wiki.spoil(57)
    try await withCatalog(FakeXkcd(latest: 60), wiki: wiki) { bench async throws in
      await bench.catalog.prepare()
      var failures = 0
      steps: for _ in 0..<200 {
        switch try await bench.catalog.refresher.explanationStep() {
        case .worked: continue
        case .sourceDown: failures += 1
        case .idle: break steps
        }
      }
      #expect(failures > 0)
      #expect(try await bench.store.explanations.totals().pages == 59)
      #expect(try await bench.store.explanations.explanation(of: Comic.Number(of: 57))?.outcome == .failed)
    }
  }

  @Test func `are not requested without a client`() async throws {
    try await withCatalog(FakeXkcd(latest: 3)) { bench async throws in
      await bench.catalog.prepare()
      guard case .idle(nil) = try await bench.catalog.refresher.explanationStep() else {
        Issue.record("there is something to do")
        return
      }
      #expect(try await bench.catalog.explanation(of: Comic.Number(of: 3), within: .seconds(60)) == .unknown)
    }
  }
}
