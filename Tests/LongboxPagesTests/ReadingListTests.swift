// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import Testing

@testable import LongboxPages

@Suite struct ReadingListTests {
  /// The comics to which a page's pager leads: first, previous, next, latest; nil where there is none.
  private func steps(_ page: String) -> [String?] {
    ["First", "Previous", "Next", "Latest"].map { name in
      let link = page.matches(of: /<a class="button" href="([^"]+)" aria-label="([A-Za-z]+) comic">/)
        .first { $0.2 == name }
      return link.map { String($0.1) }
    }
  }

  /// The strip's text, such as "Favorites 3 of 27".
  private func strip(_ page: String) -> String? {
    page.firstMatch(of: /<div class="list-strip"[^>]*><p>(.*?)<\/p>/).map { match in
      String(match.1).replacing(/<[^>]*>/, with: "")
    }
  }

  private func visitor(with comics: [Int], upTo latest: Int = 410) throws -> Visitor {
    var visitor = try Visitor(upTo: latest)
    for comic in comics { _ = visitor.send("/favorites/set", "comic=\(comic)&on=yes") }
    return visitor
  }

  @Test func `goes through the favorites in the order of their page`() throws {
    var visitor = try visitor(with: [7, 30, 12])
    #expect(visitor.see("/favorites").text.contains(#"href="/30/?in=favorites""#))
    let newest = visitor.see("/30/", query: "in=favorites").text
    #expect(strip(newest) == "Favorites 2 of 3")
    #expect(
      steps(newest) == [
        "/12/?in=favorites", "/12/?in=favorites", "/7/?in=favorites", "/7/?in=favorites",
      ]
    )
    #expect(newest.contains(#"href="/random?in=favorites" aria-label="Random comic""#))
    #expect(newest.contains(#"<link rel="canonical" href="/30/">"#))
    #expect(newest.contains(#"data-latest="410""#), "the number pad leads to any comic")
    _ = visitor.see("/favorites", query: "sort=number")
    let ordered = visitor.see("/30/", query: "in=favorites").text
    #expect(strip(ordered) == "Favorites 3 of 3")
    #expect(steps(ordered) == ["/7/?in=favorites", "/12/?in=favorites", nil, nil])
    #expect(ordered.contains("This is the last comic of this list."))
  }

  @Test func `goes through the favorites that a search has found`() throws {
    var visitor = try visitor(with: [7, 30, 12])
    _ = visitor.send("/favorites/note", "comic=7&note=For+the+door&back=%2Ffavorites")
    _ = visitor.send("/favorites/note", "comic=12&note=The+other+door&back=%2Ffavorites")
    let found = visitor.see("/favorites", query: "q=door").text
    #expect(found.contains(#"href="/12/?in=favorites-with-door""#) && !found.contains(#"href="/30/?in="#))
    let page = visitor.see("/12/", query: "in=favorites-with-door").text
    #expect(strip(page) == "Favorites with “door” 1 of 2")
    #expect(steps(page)[2] == "/7/?in=favorites-with-door")
    #expect(page.contains(#"<a href="/favorites?q=door">"#))
    let all = visitor.see("/30/", query: "in=favorites-with-").text
    #expect(strip(all) == "Favorites 2 of 3", "without words it is all favorites")
  }

  @Test func `is left by a link, and forms stay in it`() throws {
    var visitor = try visitor(with: [7, 30])
    let page = visitor.see("/30/", query: "in=favorites").text
    #expect(page.contains(#"<a class="button" href="/30/" aria-label="Leave this list">"#))
    #expect(page.contains(#"name="back" value="/30/?in=favorites""#))
    let sent = visitor.send("/favorites/set", "comic=30&on=no&back=%2F30%2F%3Fin%3Dfavorites")
    #expect(sent.location == "/30/?in=favorites")
    let removed = visitor.see("/30/", query: "in=favorites").text
    #expect(strip(removed) == "Favorites 1")
    #expect(steps(removed) == ["/7/?in=favorites", nil, "/7/?in=favorites", "/7/?in=favorites"])
    _ = visitor.send("/favorites/set", "comic=7&on=no")
    let empty = visitor.see("/30/", query: "in=favorites").text
    #expect(strip(empty) == nil)
    #expect(steps(empty)[1] == "/29/", "an empty list is no list")
  }

  @Test func `of a year or a day leads to the newer comic by Next`() throws {
    var visitor = try Visitor()
    let year = visitor.see("/comics", query: "year=2007").text
    #expect(year.contains(#"href="/200/?in=2007""#))
    let page = visitor.see("/200/", query: "in=2007").text
    #expect(strip(page) == "2007 41 of 160")
    #expect(steps(page) == ["/160/?in=2007", "/199/?in=2007", "/201/?in=2007", "/319/?in=2007"])
    let first = visitor.see("/160/", query: "in=2007").text
    #expect(first.contains("This is the first comic of this list."))
    #expect(!visitor.see("/comics").text.contains("?in="), "all comics are no list")
    let day = visitor.see("/comics", query: "on=01-01").text
    #expect(day.contains("?in=01-01"))
  }

  @Test func `of unread comics keeps the place of the comic that is read now`() throws {
    var visitor = try Visitor(upTo: 40)
    _ = visitor.send("/read/older", "comic=30")
    #expect(visitor.see("/comics", query: "unread=1").text.contains(#"href="/35/?in=unread""#))
    for _ in 0..<2 {
      let page = visitor.see("/35/", query: "in=unread").text
      #expect(strip(page) == "Unread 5 of 10")
      #expect(steps(page)[1...2] == ["/34/?in=unread", "/36/?in=unread"])
    }
    #expect(try visitor.hasRead(35))
    #expect(steps(visitor.see("/36/", query: "in=unread").text)[1] == "/34/?in=unread")
    #expect(visitor.see("/random", query: "in=unread").location.description.hasSuffix("/?in=unread"))
  }

  @Test func `of results goes from the best to the worst`() throws {
    var visitor = try Visitor(upTo: 40)
    visitor.archive = try Fixtures.archive(
      upTo: 40,
      isSearchable: true,
      changing: [9: { $0.title = "Kettle" }, 20: { $0.title = "Kettle Kettle Drum" }]
    )
    let results = visitor.see("/search", query: "q=kettle&deep=0").text
    #expect(results.contains(#"href="/9/?in=search-kettle""#))
    let page = visitor.see("/9/", query: "in=search-kettle").text
    #expect(strip(page)?.hasPrefix("“kettle” ") == true && strip(page)?.hasSuffix(" of 2") == true)
    #expect(steps(page).contains("/20/?in=search-kettle"))
    #expect(page.contains(#"<a href="/search?q=kettle&amp;deep=0"><bdi>“kettle”</bdi></a>"#))
    let questions = visitor.asked.compactMap { need -> SearchQuestion? in
      if case .search(let question) = need { question } else { nil }
    }
    #expect(questions.map { $0.mostInTexts } == [0] && questions.allSatisfy { !$0.hasSnippets })
    visitor.canSearch = false
    let unknown = visitor.see("/9/", query: "in=search-kettle").text
    #expect(strip(unknown) == nil)
    #expect(steps(unknown)[2] == "/10/")
    let long = String(repeating: "a", count: 81)
    #expect(strip(visitor.see("/9/", query: "in=search-\(long)").text) == nil)
  }

  @Test func `of a deep search comes from the server without explanations here`() throws {
    var visitor = try Visitor(upTo: 40)
    visitor.archive = try Fixtures.archive(
      upTo: 40,
      isSearchable: true,
      changing: [9: { $0.title = "Kettle" }]
    )
    #expect(!visitor.see("/20/", query: "in=deep-kettle").serverMayKnowMore)
    visitor.isDevice = true
    for comic in [9, 20] {
      #expect(visitor.see("/\(comic)/", query: "in=deep-kettle").serverMayKnowMore)
    }
    for query in ["in=search-kettle", "in=deep-2012-12", "in=favorites", ""] {
      #expect(!visitor.see("/20/", query: query).serverMayKnowMore, "\(query)")
    }
    visitor.isOffline = true
    let offline = visitor.see("/9/", query: "in=deep-kettle")
    #expect(!offline.serverMayKnowMore && strip(offline.text) == "“kettle” 1 of 1")
  }

  @Test(arguments: ["in=", "in=nothing", "in=favorites-x", "in=search-", "in=deep-++", "in=-2007"])
  func `that doesn't exist is ignored`(query: String) throws {
    var visitor = try visitor(with: [7])
    let page = visitor.see("/7/", query: query)
    #expect(page.status == 200)
    #expect(strip(page.text) == nil)
  }

  @Test func `of what the device has loads that once, also for a random comic without a connection`() throws {
    var visitor = try visitor(with: [3, 200])
    visitor.isOffline = true
    visitor.load = { need in
      guard need == .storedComics, let latest = Comic.Number(410) else { return nil }
      return .comics(ComicSet(upTo: latest) { [200, 408].contains($0.value) })
    }
    #expect(strip(visitor.see("/200/", query: "in=downloaded").text) == "Downloaded 1 of 2")
    #expect(visitor.see("/random", query: "in=favorites").location == "/200/?in=favorites")
    #expect(visitor.see("/random", query: "in=downloaded").location.description.hasSuffix("/?in=downloaded"))
  }

  @Test func `without comics has no random one, and shows itself`() throws {
    var visitor = try visitor(with: [])
    #expect(visitor.see("/random", query: "in=favorites").location == "/favorites")
    #expect(!visitor.see("/favorites").text.contains("Random favorite"))
    _ = visitor.send("/favorites/set", "comic=7&on=yes")
    #expect(visitor.see("/favorites").text.contains(#"href="/random?in=favorites" title="Random favorite""#))
    #expect(visitor.see("/random", query: "in=favorites").location == "/7/?in=favorites")
  }
}
