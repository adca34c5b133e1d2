// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import Testing

@testable import LongboxPages

@Suite struct ReadUpToTests {
  @Test func `are asked for only where nothing was read yet`() throws {
    let question = "I have read up to comic"
    var visitor = try Visitor(upTo: 12)
    let stranger = respond(to: Request(path: "/comics"), archive: visitor.archive)
    #expect(stranger.text.contains(question))
    #expect(visitor.see("/comics").text.contains(question))
    #expect(!visitor.see("/comics", query: "year=2006").text.contains(question))
    _ = visitor.send("/read/older", "comic=+7+&back=/comics")
    let page = visitor.see("/comics").text
    #expect(!page.contains(question))
    #expect(page.contains("Marked 1 to 7 as read.") && page.contains("action=\"/undo\""))
    #expect(try visitor.hasRead(7) && !visitor.hasRead(8))
    #expect(visitor.see("/settings").text.contains(question), "in the settings always")
    _ = visitor.send("/undo", "back=/comics")
    #expect(try !visitor.hasRead(1))
  }

  @Test func `may end at the missing number`() throws {
    var visitor = try Visitor()
    #expect(visitor.send("/read/older", "comic=404").status == 303)
    #expect(try visitor.hasRead(403) && !visitor.hasRead(405))
  }

  @Test func `may be written with a number sign`() throws {
    var visitor = try Visitor(upTo: 12)
    #expect(visitor.send("/read/older", "comic=+%237").status == 303)
    #expect(try visitor.hasRead(7) && !visitor.hasRead(8))
  }

  @Test(arguments: [
    ("411", "the latest comic is number 410"), ("abc", "is not a number"), ("", "Type the number"),
  ])
  func `must end at an existing comic`(typed: String, problem: String) throws {
    var visitor = try Visitor()
    let before = visitor.library
    let response = visitor.send("/read/older", "comic=\(typed)")
    #expect(response.status == 400)
    #expect(response.text.contains(problem))
    #expect(visitor.library == before)
  }
}

@Suite struct OverviewMapTests {
  @Test func `shows each year in words, and in squares for sighted readers`() throws {
    var visitor = try Visitor(upTo: 200)
    _ = visitor.send("/read/older", "comic=2")
    _ = visitor.send("/favorites/set", "comic=2&on=yes")
    _ = visitor.send("/favorites/set", "comic=5&on=yes")
    let page = visitor.see("/comics", query: "view=map").text
    #expect(
      page.contains(
        #"<a href="/comics?year=2006"><strong>2006</strong><span class="aside">: </span>"#
          + #"<span class="count">2 of 159 read, 2 favorites</span>"#
      )
    )
    #expect(page.contains(#"<span class="count">0 of 41 read</span>"#))
    let squares = try #require(
      page.matches(of: /<span class="squares" aria-hidden="true">(.*?)<\/span>/).last
    ).1
    let shown = squares.matches(of: /<i(?: class="([^"]*)")?><\/i>/).map { String($0.1 ?? "") }
    #expect(
      shown.filter { $0 != "x" }.prefix(5) == ["r", "r f", "", "", "f"],
      "the first comic of the year first"
    )
    #expect(page.contains("<strong>2</strong> of 200 comics read"))
  }

  @Test func `places each comic in its week and on its day`() throws {
    var map = ProgressMap(of: 2024)
    // Monday, Wednesday and Friday of the first week, then Friday of the second, with an extra comic on Saturday.
    for (month, day) in [(1, 1), (1, 3), (1, 5), (1, 12), (1, 13)] {
      map.add(isRead: true, isFavorite: false, on: CalendarDate(year: 2024, month: month, day: day))
    }
    let read = #"<i class="r"></i>"#
    let none = #"<i class="x"></i>"#
    #expect(map.html.description.contains(read + read + read + none + none + read + read + "</span>"))
    #expect(map.html.description.contains("5 of 5 read"))
  }

  @Test(arguments: [
    (2024, 1, 1, 0, 0), (2024, 12, 31, 52, 1), (2023, 1, 1, 0, 6), (2023, 1, 2, 1, 0), (2006, 1, 1, 0, 6),
    (2007, 12, 5, 48, 2), (2000, 2, 29, 9, 1),
  ])
  func `knows weeks and weekdays`(year: Int, month: Int, day: Int, week: Int, weekday: Int) throws {
    let found = try #require(CalendarDate(year: year, month: month, day: day)).weekOfYear
    #expect(found.week == week && found.weekday == weekday)
  }

  @Test func `is shown to readers who have read nothing`() throws {
    let archive = try Fixtures.archive(upTo: 12)
    let page = respond(to: Request(path: "/comics", query: "view=map"), archive: archive)
    #expect(page.text.contains("0 of 12 read"))
    #expect(page.text.contains(#"href="/comics?view=map" title="Map" aria-current="true">"#))
  }
}

@Suite struct OnThisDayTests {
  @Test func `redirects to the day of the request`() throws {
    let request = Request(path: "/on-this-day", now: 1_763_683_200_000)
    let response = respond(to: request, archive: try Fixtures.archive(upTo: 3))
    #expect(response.location == "/comics?on=11-21")
    #expect(response.caching == .never)
  }

  @Test(arguments: [("date=2024-02-29", "02-29"), ("date=2025-12-05", "12-05"), ("date=x", "11-21")])
  func `redirects to the day that was chosen`(query: String, day: String) throws {
    let request = Request(path: "/on-this-day", query: Text(string: query), now: 1_763_683_200_000)
    let response = respond(to: request, archive: try Fixtures.archive(upTo: 3))
    #expect(response.location.description == "/comics?on=" + day)
  }

  @Test(arguments: [("03-01", "02-29", "03-02"), ("12-31", "12-30", "01-01"), ("01-01", "12-31", "01-02")])
  func `links the days around it, and is not offered again`(day: String, before: String, after: String) throws
  {
    let archive = try Fixtures.archive(upTo: 3)
    let page = respond(to: Request(path: "/comics", query: Text(string: "on=" + day)), archive: archive).text
    #expect(page.contains("href=\"/comics?on=\(before)\"") && page.contains("href=\"/comics?on=\(after)\""))
    #expect(!page.contains("title=\"On this day\""))
  }

  @Test func `lists the comics of that day in any year, and nothing else`() throws {
    let archive = try Fixtures.archive(upTo: 400)
    let expected = archive.comics(on: "03-03")
    #expect(Set(expected.map { $0.date?.year }).count > 1)
    let page = respond(to: Request(path: "/comics", query: "on=03-03"), archive: archive).text
    #expect(page.contains("<h1>On this day: 3 March</h1>"))
    for comic in 1...400 where comic != 404 {
      #expect(
        page.contains("href=\"/\(comic)/?in=03-03\"") == expected.contains { $0.number.value == comic },
        "\(comic)"
      )
    }
    #expect(page.contains(#"href="/comics?view=list&amp;on=03-03" title="List">"#))
  }

  @Test func `says when no comic came out that day, and rejects invalid days`() throws {
    let archive = try Fixtures.archive(upTo: 3)
    let none = respond(to: Request(path: "/comics", query: "on=12-31"), archive: archive)
    #expect(none.status == 200 && none.text.contains("No comic came out on this day so far."))
    let wrong = respond(to: Request(path: "/comics", query: "on=02-30"), archive: archive)
    #expect(wrong.status == 404)
  }
}

extension Archive {
  fileprivate func comics(on day: Text) -> [ArchivedComic] {
    var found: [ArchivedComic] = []
    visit { comic in
      if comic.date.map({ DayOfYear($0).text }) == day { found.append(comic) }
      return true
    }
    return found
  }
}

@Suite struct RandomComicTests {
  @Test func `that is unread is one of the unread, and may be each of them`() throws {
    var visitor = try Visitor(upTo: 410)
    _ = visitor.send("/read/older", "comic=407")
    var found: Set<String> = []
    for random in 0..<9 as Range<UInt64> {
      let request = Request(path: "/random", query: "unread=1", random: random, isRemembered: true)
      var library = visitor.library
      var host = TestHost(visitor.archive)
      found.insert(host.respond(to: request, library: &library).location.description)
    }
    #expect(found == ["/408/", "/409/", "/410/"])
    #expect(visitor.see("/3/").text.contains(#"href="/random?unread=1""#))
    #expect(visitor.see("/comics").text.contains(#"href="/random?unread=1""#))
  }

  @Test func `is one that the device has, without a connection`() throws {
    var visitor = try Visitor(upTo: 410)
    visitor.isOffline = true
    var stored: Set<Int> = [3, 200, 408]
    visitor.load = { need in
      guard need == .storedComics, let latest = Comic.Number(410) else { return nil }
      return .comics(ComicSet(upTo: latest) { stored.contains($0.value) })
    }
    #expect(["/3/", "/200/", "/408/"].contains(visitor.see("/random").location))
    _ = visitor.send("/read/older", "comic=200")
    #expect(visitor.see("/random", query: "unread=1").location == "/408/")
    let overview = visitor.see("/comics", query: "downloaded=1").text
    #expect(overview.contains(#"href="/200/?in=downloaded""#) && !overview.contains(#"href="/201/"#))
    stored = []
    visitor.load = { need in need == .storedComics ? .comics(.empty) : nil }
    #expect(visitor.see("/random").location == "/comics?downloaded=1")
    #expect(visitor.see("/comics", query: "downloaded=1").text.contains("Nothing is downloaded yet."))
    visitor.isOffline = false
    _ = visitor.see("/random")
    #expect(visitor.asked.isEmpty, "online, it may be any")
  }

  @Test func `redirects to a page that says so when all are read`() throws {
    var visitor = try Visitor(upTo: 5)
    _ = visitor.send("/read/older", "comic=5")
    #expect(visitor.see("/random", query: "unread=1").location == "/comics?unread=1")
  }

  @Test func `is any comic for readers without a library`() throws {
    let request = Request(path: "/random", query: "unread=1", random: 1)
    #expect(respond(to: request, archive: try Fixtures.archive(upTo: 5)).location == "/2/")
  }
}

@Suite struct OldestUnreadTests {
  @Test func `is the first that is not read`() throws {
    var visitor = try Visitor(upTo: 410)
    #expect(visitor.see("/unread").location == "/1/")
    _ = visitor.send("/read/older", "comic=403")
    #expect(visitor.see("/unread").location == "/405/")
  }

  @Test func `redirects to a page that says so when all are read`() throws {
    var visitor = try Visitor(upTo: 5)
    _ = visitor.send("/read/older", "comic=5")
    #expect(visitor.see("/unread").location == "/comics?unread=1")
  }
}

@Suite struct SharedTextTests {
  @Test func `has a preview card with the public address`() throws {
    let archive = try Fixtures.archive(upTo: 3, changing: [3: { comic in comic.title = "<A> & \"B\"" }])
    var context = PageContext()
    #expect(!respond(to: Request(path: "/3/"), archive: archive, context: context).text.contains("og:"))
    context.origin = "https://box.example"
    let page = respond(to: Request(path: "/"), archive: archive, context: context).text
    #expect(Markup(page).faults == [])
    for (name, content) in [
      ("og:title", "#3 &lt;A&gt; &amp; &quot;B&quot;"), ("og:url", "https://box.example/3/"),
      ("og:image", "https://box.example/comics/3/image?v=0000ab12"), ("og:image:width", "740"),
      ("og:image:height", "400"), ("og:image:alt", "Comic 3: &lt;A&gt; &amp; &quot;B&quot;"),
      ("og:description", "xkcd comic 3, 4 April 2006"), ("og:site_name", "Longbox"),
    ] {
      #expect(page.contains("<meta property=\"\(name)\" content=\"\(content)\">"), "\(name)")
    }
    #expect(page.contains(#"href="https://box.example/oembed?url=https%3A%2F%2Fbox.example%2F3%2F""#))
    #expect(
      page.split(separator: "What is said on hovering.").count == 2,
      "the alt text is in the details alone"
    )
    let about = respond(to: Request(path: "/about"), archive: archive, context: context).text
    #expect(about.contains(#"<meta property="og:url" content="https://box.example/about">"#))
    #expect(!about.contains("og:image"))
  }

  @Test(
    arguments: [
      (nil, nil, 740, 400, true), (740, 400, 740, 400, true), (2000, nil, 740, 400, true),
      (370, nil, 370, 200, false),
      (nil, 100, 185, 100, false), (370, 100, 185, 100, false), (37, 400, 37, 20, false), (1, 1, 1, 1, false),
    ] as [(Int?, Int?, Int, Int, Bool)]
  )
  func `embeds a comic within the given size`(
    maxWidth: Int?,
    maxHeight: Int?,
    width: Int,
    height: Int,
    isWhole: Bool
  ) throws {
    let archive = try Fixtures.archive(upTo: 1)
    let comic = try #require(archive.comic(.first))
    let maxSize = EmbeddedComic.MaxSize(width: maxWidth, height: maxHeight)
    let embedded = try #require(EmbeddedComic(comic, in: archive, maxSize: maxSize))
    #expect(embedded.width == width && embedded.height == height && embedded.isWhole == isWhole)
    let html = embedded.html(origin: "https://box.example").description
    #expect(
      html.hasPrefix(#"<a href="https://box.example/1/"><img src="https://box.example/comics/1/image?v="#)
    )
  }
}

@Suite struct TextSizeTests {
  @Test(arguments: ["s", "l", "xl"])
  func `is an attribute of each page, if it isn't the usual one`(size: String) throws {
    var visitor = try Visitor(upTo: 12)
    #expect(!visitor.see("/3/").text.contains("data-text"))
    _ = visitor.send("/settings/set", "text=\(size)&back=/settings")
    #expect(visitor.see("/3/").text.contains("data-text=\"\(size)\""))
    #expect(visitor.send("/settings/set", "text=xxl").status == 400)
    _ = visitor.send("/settings/set", "text=m&back=/settings")
    #expect(!visitor.see("/3/").text.contains("data-text"))
  }
}

@Suite struct HistoryPageTests {
  /// The comics that a page's list shows.
  private func shown(_ page: String) -> [String] {
    page.matches(of: /<li id="c(\d+)">/).map { String($0.1) }
  }

  @Test func `are listed, the last one first, and can be cleared with an undo`() throws {
    var visitor = try Visitor(upTo: 12)
    #expect(visitor.see("/history").text.contains("Nothing viewed yet"))
    for path in ["/3/", "/7/", "/3/", "/comics"] { _ = visitor.see(path) }
    _ = visitor.send("/read/viewed", "comic=9&place=keep")
    let page = visitor.see("/history").text
    #expect(shown(page) == ["9", "3", "7"])
    #expect(page.contains("3 comics, the last one first."))
    let promise = "This list stays on this device."
    #expect(!page.contains(promise), "without scripts it is on the server")
    visitor.isDevice = true
    #expect(visitor.see("/history").text.contains(promise))
    #expect(visitor.send("/history/clear", "back=/history").location == "/history")
    let cleared = visitor.see("/history").text
    #expect(shown(cleared).isEmpty && cleared.contains("Recently viewed cleared."))
    #expect(try visitor.hasRead(9), "read marks stay")
    _ = visitor.send("/undo", "back=/history")
    #expect(shown(visitor.see("/history").text) == ["9", "3", "7"])
  }

  @Test func `don't count pages that are only prefetched, or seen by strangers`() throws {
    var visitor = try Visitor(upTo: 12)
    _ = visitor.see("/3/", isPrefetch: true)
    #expect(visitor.library.library.history.isEmpty)
    let page = respond(to: Request(path: "/history"), archive: visitor.archive)
    #expect(page.status == 200 && page.text.contains("once you have a favorite"))
  }
}
