// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import Foundation
import LongboxCore
import LongboxStore
import Testing
import TestSupport

@testable import LongboxCatalog

extension CatalogBench {
  /// Fetches explanations until none is due.
  fileprivate func explain() async throws {
    while case .worked = try await catalog.refresher.explanationStep() {}
  }

  /// Fetches all comics, texts and explanations.
  fileprivate func bringAll() async throws {
    try await bringEverything()
    try await explain()
  }

  fileprivate func found(_ words: String) -> [Int] {
    catalog.snapshot.search.numbers(words)
  }
}

extension Search {
  fileprivate func numbers(_ words: String) -> [Int] {
    results(for: Text(string: words)).hits.map(\.number.value).sorted()
  }
}

extension ExplanationIndex {
  fileprivate var copy: ArchiveCopy {
    ArchiveCopy(revision: revision, rules: rules, isSampleBox: isSampleBox)
  }
}

@Suite("The index of explanations in the catalog", .timeLimit(.minutes(10))) struct ExplanationIndexTests {
  private let xkcd = FakeXkcd(latest: 6)

  private func wiki(_ words: [Int: String]) -> FakeWiki {
    let wiki = FakeWiki(about: 1...6)
    for (number, text) in words { wiki.write(FakeWiki.page(about: number, text), about: number) }
    return wiki
  }

  @Test func `includes explanations as they are stored or requested by readers`() async throws {
    let wiki = wiki([2: "A quagga.", 5: "A quagga and a thylacine."])
    try await withCatalog(xkcd, wiki: wiki) { bench async throws in
      try await bench.bringEverything()
      #expect(bench.found("quagga") == [])
      _ = try await bench.catalog.explanation(of: Comic.Number(of: 2), within: .seconds(60))
      let generation = bench.catalog.generation
      try await bench.catalog.comics.publisher.updateIndex()
      #expect(bench.found("quagga") == [2])
      #expect(bench.catalog.generation > generation, "pages with results are rendered again")
      try await bench.explain()
      #expect(bench.found("quagga") == [2, 5])
      wiki.write(FakeWiki.page(about: 5, "Only the thylacine is left."), about: 5)
      bench.time.advance(by: 6 * 3600)
      try await bench.explain()
      #expect(bench.found("quagga") == [2])
      #expect(bench.found("thylacine") == [5])
    }
  }

  @Test func `shows a snippet of the text, which only the store has`() async throws {
    try await withCatalog(xkcd, wiki: wiki([3: "It is about a quagga, if anything."])) { bench async throws in
      try await bench.bringAll()
      let question = SearchQuestion(text: "quaggas")
      let snapshot = bench.catalog.snapshot
      let hits = await bench.catalog.results(for: question, in: snapshot, running: { $0() }).hits
      #expect(hits.map(\.number.value) == [3])
      #expect(hits.first?.field == .explanation)
      #expect(hits.first?.snippet.description.contains("about a quagga, if anything") == true)
      let stored = try await StoredSearch(bench.store).results(for: question)
      #expect(stored.hits == hits)
    }
  }

  @Test func `is available at the next start without indexing again`() async throws {
    let folder = TemporaryFolder()
    try await withCatalog(xkcd, wiki: wiki([4: "A quagga."]), in: folder) { bench async throws in
      try await bench.bringAll()
      bench.catalog.save()
    }
    try await withCatalog(xkcd, in: folder) { bench async throws in
      #expect(bench.found("quagga") == [4])
      let place = folder.path("explanations.lbx")
      try FileManager.default.removeItem(at: place)
      bench.catalog.save()
      #expect(!FileManager.default.fileExists(atPath: place.path), "it is written only where it has changed")
    }
  }

  @Test(arguments: ["missing", "empty", "cut", "one bit", "text", "an archive", "of more than there is"])
  func `is rebuilt where its file is unusable`(damage: String) async throws {
    let folder = TemporaryFolder()
    try await withCatalog(xkcd, wiki: wiki([4: "A quagga."]), in: folder) { bench async throws in
      try await bench.bringAll()
      bench.catalog.save()
    }
    let place = folder.path("explanations.lbx")
    var bytes = [UInt8](try Data(contentsOf: place))
    switch damage {
    case "empty": bytes = []
    case "cut": bytes.removeLast(bytes.count / 3)
    case "one bit": bytes[bytes.count - 9] ^= 4
    case "text": bytes = Array("There was an index here.".utf8)
    case "an archive": bytes = [UInt8](try Data(contentsOf: folder.path("archive.lbx")))
    case "of more than there is":
      var writer = SegmentWriter()
      writer.explanationIndex = SearchIndexWriter.index(ofExplanations: [(.first, "An aepyornis.")])
      bytes = try writer.finish(.init(revision: 1_000_000))
    default: break
    }
    try FileManager.default.removeItem(at: place)
    if damage != "missing" { try folder.write(bytes, to: "explanations.lbx") }
    try await withCatalog(xkcd, in: folder) { bench async throws in
      #expect(try await StoredSearch(bench.store).results(for: SearchQuestion(text: "quagga")).total == 1)
      try await bench.catalog.comics.publisher.updateIndex()
      #expect(bench.found("quagga") == [4])
      #expect(bench.found("aepyornis") == [])
    }
  }

  @Test func `sends a device the whole index, a delta, or nothing`() async throws {
    let wiki = wiki([:])
    for number in 1...40 { wiki.write(FakeWiki.page(about: number, "A quagga."), about: number) }
    try await withCatalog(FakeXkcd(latest: 40), wiki: wiki) { bench async throws in
      try await bench.bringAll()
      let nothing = ArchiveCopy(revision: 0, rules: 0, isSampleBox: false)
      var copy = try ExplanationIndex(try #require(try await bench.catalog.explanationUpdate(for: nothing)))
      #expect(copy.revision == bench.catalog.snapshot.explanationIndex.revision)
      #expect(copy.count == 40)
      #expect(try await bench.catalog.explanationUpdate(for: copy.copy) == nil)

      wiki.write(FakeWiki.page(about: 33, "An aepyornis."), about: 33)
      bench.time.advance(by: 6 * 3600)
      try await bench.explain()
      let delta = try #require(try await bench.catalog.explanationUpdate(for: copy.copy))
      #expect(delta.base == copy.revision && delta.bytes.count < 1_000)
      copy = try copy.adding(delta)
      let there = Search(archive: bench.catalog.snapshot.archive, explanations: copy)
      for words in ["quagga", "aepyornis"] { #expect(there.numbers(words) == bench.found(words)) }
      #expect(there.numbers("aepyornis") == [33])

      var other = copy.copy
      other.isSampleBox = true
      #expect(try await bench.catalog.explanationUpdate(for: other)?.base == 0, "another box")
      other = copy.copy
      other.revision += 1
      #expect(try await bench.catalog.explanationUpdate(for: other)?.base == 0, "the server was restored")
      other = copy.copy
      other.revision = 1
      #expect(try await bench.catalog.explanationUpdate(for: other)?.base == 0, "too much has changed")
    }
  }

  @Test func `keeps few segments, however often explanations change`() async throws {
    let wiki = wiki([:])
    try await withCatalog(xkcd, wiki: wiki) { bench async throws in
      try await bench.bringAll()
      for turn in 1...40 {
        wiki.write(FakeWiki.page(about: 1 + turn % 6, "Turn\(turn) has come."), about: 1 + turn % 6)
        bench.time.advance(by: 6 * 3600)
        try await bench.explain()
        #expect(bench.found("turn\(turn)") == [1 + turn % 6])
        #expect(bench.catalog.snapshot.explanationIndex.segments.count <= 16)
      }
      #expect(bench.found("turn40") == [5])
      #expect(bench.found("turn7").isEmpty, "what has gone from the text is not found")
    }
  }

  @Test func `catches up after an update that failed, although nothing has changed since`() async throws {
    try await withCatalog(xkcd, wiki: wiki([2: "A quagga."])) { bench async throws in
      try await bench.bringEverything()
      _ = try await bench.catalog.explanation(of: Comic.Number(of: 2), within: .seconds(60))
      // What a follower does, as if the update of the index had failed.
      try await bench.catalog.comics.nodes.follow()
      #expect(bench.found("quagga") == [])
      try await bench.catalog.comics.nodes.follow()
      try await bench.catalog.comics.publisher.updateIndex()
      #expect(bench.found("quagga") == [2])
    }
  }
}
