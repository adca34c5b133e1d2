// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import Testing

@testable import LongboxDevice

/// A request, what the host has for it, and the expected answer.
private struct Case {
  let ask: Ask
  var needs: [HostNeed] = []
  var status = 200
}

/// ``DeviceBench/answer(to:)`` checks that nothing is rendered before all needs are loaded, and then once.
@Suite struct RenderCountTests {
  private static let album = HostNeed(kind: 8, key: "70?country=gb")
  private static let quizAlbum = HostNeed(kind: 9, key: "70?country=gb")
  private static let otherAlbum = HostNeed(kind: 10, key: "71?country=gb")
  private static let boxes = (id: "5", name: "Boxes")

  private static func comic(_ value: Int) -> [HostNeed] {
    [HostNeed(kind: 2, key: "\(value)"), HostNeed(kind: 3, key: "\(value)")]
  }

  private static let cases = [
    Case(ask: Ask("/"), needs: comic(3)),
    Case(ask: Ask("/2/"), needs: comic(2)),
    Case(ask: Ask("/2/", isPrefetch: true), needs: comic(2)),
    Case(ask: Ask("/2/", isOffline: true), needs: comic(2)),
    Case(ask: Ask("/comics")), Case(ask: Ask("/settings")), Case(ask: Ask("/about")),
    Case(ask: Ask("/history")),
    Case(ask: Ask("/02/"), status: 301), Case(ask: Ask("/random"), status: 303),
    Case(ask: Ask("/random", query: "in=favorites"), status: 303),
    Case(ask: Ask("/2/", query: "in=unread"), needs: comic(2)),
    Case(ask: Ask("/2/", query: "in=deep-trees"), needs: comic(2)),
    Case(ask: Ask("/2/", query: "in=downloaded"), needs: comic(2) + [HostNeed(kind: 13)]),
    Case(ask: Ask("/go", query: "number=2"), status: 303), Case(ask: Ask("/continue"), status: 303),
    Case(ask: Ask("/topics")), Case(ask: Ask("/topics/none"), status: 404),
    Case(ask: Ask("/404/"), status: 404), Case(ask: Ask("/nothing"), status: 404),
    Case(ask: Ask("/search")), Case(ask: Ask("/search", query: "q=trees&form=1")),
    Case(ask: Ask("/search", query: "q=trees&deep=1")), Case(ask: Ask("/search", query: "q=is:album")),
    Case(ask: Ask("/1/explanation"), needs: [HostNeed(kind: 4, key: "1")]),
    Case(ask: Ask("/albums/70", query: "country=gb"), needs: [album]),
    Case(ask: Ask("/albums/saved")),
    Case(ask: Ask("/albums"), needs: [HostNeed(kind: 6)], status: 503),
    Case(
      ask: Ask("/albums/artists/5", query: "show=eps"),
      needs: [HostNeed(kind: 7, key: "5?show=eps")],
      status: 503
    ),
    Case(ask: Ask("/feeds"), needs: [HostNeed(kind: 11)], status: 503),
    Case(ask: Ask("/settings/move"), needs: [HostNeed(kind: 11)], status: 503),
    Case(ask: Ask("/settings/export")), Case(ask: Ask("/settings/import")),
  ]

  private static func bench() throws -> DeviceBench {
    let bench = try DeviceBench.opened()
    for comic in 1...3 { bench.table[HostNeed(kind: 3, key: "\(comic)")] = .text("<p>It begins.</p>") }
    bench.table[HostNeed(kind: 4, key: "1")] = .text("<p>It goes on.</p>")
    let titles = ["One", "Two", "Three", "Four"]
    bench.table[album] = .album("70", "Wick", artist: boxes, titles: titles)
    bench.table[quizAlbum] = bench.table[album]
    bench.table[otherAlbum] = .album("71", "Wax", artist: boxes, titles: ["Five", "Six", "Seven"])
    return bench
  }

  /// A device whose reader has two albums and a favorite.
  private static func benchOfReader() throws -> DeviceBench {
    let bench = try bench()
    let forms = [
      ("/favorites/set", "comic=2&on=yes&back=/favorites"),
      ("/albums/save", "album=70&country=gb&name=Wick&artist=Boxes&year=1999"),
      ("/albums/save", "album=71&country=gb&name=Wax&artist=Boxes&year=2000"),
    ]
    for (path, form) in forms {
      let answer = try bench.answer(to: Ask(path, form: form))
      #expect(answer.status == 303 && answer.isLibraryChanged && bench.asked.isEmpty)
    }
    return bench
  }

  @Test(arguments: [false, true])
  func `for any request, with and without a library`(hasLibrary: Bool) throws {
    let bench = try hasLibrary ? Self.benchOfReader() : Self.bench()
    for asked in Self.cases {
      let answer = try bench.answer(to: asked.ask)
      #expect(answer.status == asked.status, "\(asked.ask.path)")
      #expect(bench.asked == asked.needs, "\(asked.ask.path)")
      #expect(bench.rounds == (asked.needs.isEmpty ? 1 : 2), "\(asked.ask.path)")
    }
  }

  @Test func `in one round, where the host hands in its values`() throws {
    let bench = try Self.benchOfReader()
    for asked in Self.cases {
      var ask = asked.ask
      ask.loaded = asked.needs.map { ($0, bench.table[$0] ?? .unreachable) }
      let answer = try bench.answer(to: ask)
      #expect(answer.status == asked.status && bench.rounds == 1, "\(ask.path)")
    }
  }

  @Test func `for favorites, whose covers need nothing else`() throws {
    let bench = try Self.benchOfReader()
    let page = try bench.answer(to: Ask("/favorites")).page
    #expect(bench.asked.isEmpty && bench.rounds == 1)
    #expect(page.contains("Remove 2 "))
  }

  @Test(arguments: ["", "comic=404&on=yes"])
  func `for a form that can't be read`(form: String) throws {
    let bench = try Self.bench()
    let answer = try bench.answer(to: Ask("/favorites/set", form: form))
    #expect(answer.status == 400 && !answer.isLibraryChanged && bench.rounds == 1)
  }

  @Test(arguments: ["/", "/2/", "/nowhere"])
  func `for a form that was sent to a page`(path: String) throws {
    let bench = try Self.bench()
    let answer = try bench.answer(to: Ask(path, form: "comic=2"))
    #expect(answer.status == 400 && answer.serverMayKnowMore && bench.rounds == 1)
  }

  @Test func `for an album whose article the reader has chosen, without a connection`() throws {
    let bench = try Self.bench()
    bench.table[HostNeed(kind: 8, key: "75")] = .album(
      "75",
      "Wick",
      body: "<p>Tracks</p><!--article--><p>End</p>",
      titles: ["One"],
      articles: [("", "<p>Found</p>"), ("0", "<p>None</p>"), ("4", "<p>Chosen</p>")]
    )
    func page() throws -> String { try bench.answer(to: Ask("/albums/75", isOffline: true)).page }
    #expect(try page().contains("<p>Tracks</p><p>Found</p><p>End</p>"))
    for (choice, article) in [("4", "Chosen"), ("0", "None"), ("", "Found")] {
      let form = "album=75&language=en&page=\(choice)&back=/albums/75"
      let answer = try bench.answer(to: Ask("/albums/article", form: form, isOffline: true))
      #expect(answer.status == 303 && answer.isLibraryChanged && bench.asked.isEmpty)
      #expect(try page().contains("<p>Tracks</p><p>\(article)</p><p>End</p>"))
    }
  }

  @Test func `for every turn of a quiz`() throws {
    let bench = try Self.benchOfReader()
    let start = try bench.answer(to: Ask("/albums/70/quiz", query: "country=gb"))
    #expect(start.page.contains("Play: Which album?"))
    #expect(bench.asked == [Self.quizAlbum, Self.otherAlbum] && bench.rounds == 3)
    var form = "start=tracks"
    for guess in ["one", "two", "three", "four"] {
      let turn = try bench.answer(to: Ask("/albums/70/quiz", query: "country=gb", form: form))
      #expect(bench.asked == [Self.quizAlbum] && bench.rounds == 2)
      #expect(!turn.isLibraryChanged)
      let state = try #require(turn.page.firstMatch(of: /name="state" value="([A-Za-z0-9_-]+)"/)?.1)
      form = "state=\(state)&guess=\(guess)"
    }
    let end = try bench.answer(to: Ask("/albums/70/quiz", query: "country=gb", form: form))
    #expect(end.isLibraryChanged && end.page.contains("4 of 4"))
    let choice = try bench.answer(to: Ask("/albums/70/quiz", query: "country=gb", form: "start=albums"))
    #expect(choice.page.contains("name=\"choice\"") && bench.asked == [Self.quizAlbum, Self.otherAlbum])
  }

  @Test func `for an archive without comics`() throws {
    let bench = DeviceBench()
    #expect(bench.perform(.open, try DeviceBench.segment(of: [])) == [])
    #expect(bench.perform(.begin, [7, 0, 0, 0, 0, 0, 0, 0]) == [])
    for path in ["/", "/2/", "/404/", "/random", "/go"] {
      let answer = try bench.answer(to: Ask(path))
      #expect(answer.status == 503 && bench.asked == [HostNeed(kind: 0)] && bench.rounds == 2, "\(path)")
    }
  }

  @Test func `for a comic that arrives while it is loading`() throws {
    let bench = DeviceBench()
    #expect(bench.perform(.open, try DeviceBench.segment(of: [(1, "Barrel"), (3, "Island")])) == [])
    #expect(bench.perform(.begin, [7, 0, 0, 0, 0, 0, 0, 0]) == [])
    let need = HostNeed(kind: 1, key: "2")
    #expect(try bench.reply(to: Ask("/2/")).needs == [need])
    #expect(
      bench.perform(.open, try DeviceBench.segment(of: [(1, "Barrel"), (2, "Trees"), (3, "Island")])) == []
    )
    let answer = try bench.answer(to: Ask("/2/", loaded: [(need, .text(""))]))
    #expect(answer.status == 200 && answer.page.contains("Trees"))
    #expect(bench.renders == 1)
  }
}
