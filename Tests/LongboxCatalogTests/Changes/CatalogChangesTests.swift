// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import LongboxCore
import LongboxUpstream
import ServiceLifecycle
import Testing
import TestSupport

@testable import LongboxCatalog

@Suite("The stream of changes", .timeLimit(.minutes(10))) struct CatalogChangesTests {
  private let xkcd = FakeXkcd(latest: 3)

  private func numbers(_ values: Int...) -> Set<Comic.Number> { Set(values.map { Comic.Number(of: $0) }) }

  /// Reads until all of some comics were reported as new; returns what each read brought.
  private func read(_ changes: CatalogChanges, until expected: Set<Comic.Number>) async -> [CatalogChange] {
    var read: [CatalogChange] = []
    var seen: Set<Comic.Number> = []
    for await change in changes {
      read.append(change)
      seen.formUnion(change.newComics)
      if seen.isSuperset(of: expected) { break }
    }
    return read
  }

  @Test func `reports everything to each of two subscribers`() async throws {
    try await withCatalog(xkcd) { bench async throws in
      let (one, other) = (bench.catalog.changes, bench.catalog.changes)
      async let first = read(one, until: numbers(1, 2, 3))
      async let second = read(other, until: numbers(1, 2, 3))
      for number in 1...3 { try await bench.catalog.ensure(Comic.Number(of: number)) }
      for changes in await [first, second] {
        #expect(changes.reduce(into: []) { $0.formUnion($1.newComics) } == numbers(1, 2, 3))
        for change in changes {
          #expect(change.newComics.allSatisfy { change.snapshot.archive.comic($0) != nil }, "It can be read.")
        }
      }
    }
  }

  @Test func `merges the changes that a slow subscriber has not read`() async throws {
    try await withCatalog(xkcd) { bench async throws in
      let changes = bench.catalog.changes
      for number in 1...3 { try await bench.catalog.ensure(Comic.Number(of: number), withPicture: true) }
      var iterator = changes.makeAsyncIterator()
      let change = try #require(await iterator.next())
      #expect(change.newComics == numbers(1, 2, 3))
      #expect(change.changedComics == [], "They got their pictures, but they are new all the same.")
      #expect(change.explanations == [])
      #expect(change.snapshot.archive.count == 3)
      xkcd.set(HandmadeRecord.raw(3, title: "Better bread"), for: 3)
      try await bench.catalog.refresher.checkNewest()
      let next = try #require(await iterator.next())
      #expect(next.newComics == [] && next.changedComics == numbers(3))
      #expect(next.snapshot.generation > change.snapshot.generation)
    }
  }

  @Test func `holds each comic once, however many changes there are`() {
    var changes = ChangeSet(newComics: numbers(1))
    for _ in 1...1000 {
      changes.merge(ChangeSet(changedComics: numbers(1, 2), explanations: numbers(2)))
    }
    #expect(changes == ChangeSet(newComics: numbers(1), changedComics: numbers(2), explanations: numbers(2)))
  }

  @Test func `reports an explanation when it is stored, and again when search can find it`() async throws {
    try await withCatalog(xkcd, wiki: FakeWiki(about: [3])) { bench async throws in
      await bench.catalog.prepare()
      let changes = bench.catalog.changes
      var iterator = changes.makeAsyncIterator()
      _ = try await bench.catalog.explanation(of: Comic.Number(of: 3), within: .seconds(600))
      let stored = try #require(await iterator.next())
      #expect(stored.explanations == numbers(3))
      try await bench.catalog.comics.publisher.updateIndex()
      let indexed = try #require(await iterator.next())
      #expect(indexed.explanations == numbers(3))
      #expect(indexed.snapshot.explanationIndex.revision > stored.snapshot.explanationIndex.revision)
    }
  }

  @Test func `loses nothing between subscribing and reading`() async throws {
    // Each comic may arrive at any time: it is in the snapshot or it is reported.
    for number in 1...3 {
      try await withCatalog(xkcd) { bench async throws in
        let comic = Comic.Number(of: number)
        async let arrival: Void = bench.catalog.ensure(comic)
        let changes = bench.catalog.changes
        if bench.catalog.snapshot.archive.comic(comic) == nil {
          _ = await read(changes, until: [comic])
        }
        try await arrival
        #expect(bench.catalog.snapshot.archive.comic(comic) != nil)
      }
    }
  }

  @Test func `reports the samples, and the comics that replace them`() async throws {
    xkcd.setEverywhere(.failure(.unreachable(.xkcd, reason: "there is no network")))
    try await withCatalog(xkcd) { bench async throws in
      let changes = bench.catalog.changes
      await bench.prepareOrShowSamples()
      var iterator = changes.makeAsyncIterator()
      let samples = try #require(await iterator.next())
      #expect(
        samples.snapshot.archive.isSampleBox && samples.newComics.count == samples.snapshot.archive.count
      )
      xkcd.setEverywhere(nil)
      try await bench.catalog.refresher.checkNewest()
      let real = try #require(await iterator.next())
      #expect(!real.snapshot.archive.isSampleBox && real.newComics == numbers(3))
    }
  }

  @Test func `ends with the refresh service, after unread changes`() async throws {
    try await withCatalog(xkcd, settings: .init(fills: false)) { bench async throws in
      let changes = bench.catalog.changes
      let group = ServiceGroup(
        configuration: .init(
          services: [bench.catalog.publishingService, bench.catalog.refreshService],
          logger: .silent
        )
      )
      try await withThrowingTaskGroup(of: Void.self) { tasks in
        tasks.addTask { try await group.run() }
        await eventually { bench.catalog.snapshot.archive.count > 0 }
        await group.triggerGracefulShutdown()
        try await tasks.waitForAll()
      }
      var read: [Set<Comic.Number>] = []
      for await change in changes { read.append(change.newComics) }
      #expect(read == [numbers(3)])
      for await _ in bench.catalog.changes { Issue.record("Nothing changes any more.") }
    }
  }

  @Test func `forgets subscribers that leave`() async throws {
    try await withCatalog(xkcd) { bench async throws in
      let broadcaster = bench.catalog.broadcaster
      let reading = Task { [changes = bench.catalog.changes] in
        for await _ in changes {}
      }
      do {
        let unread = bench.catalog.changes
        #expect(broadcaster.subscriberCount == 2)
        withExtendedLifetime(unread) {}
      }
      reading.cancel()
      await reading.value
      await eventually { broadcaster.subscriberCount == 0 }
    }
  }
}
