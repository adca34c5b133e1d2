// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import Testing

@testable import LongboxPages

private func see(_ query: String, in visitor: inout Visitor) -> Response {
  visitor.see("/search", query: query)
}

private func visitor() throws -> Visitor {
  var visitor = try Visitor()
  var writer = SegmentWriter()
  var comics: [Comic] = []
  for value in 1...410 where value != 404 {
    var comic = try Fixtures.comic(value, title: value == 353 ? "Python & <Friends>" : "A Title")
    if value == 12 { comic.alt = "I wrote twenty short programs in Python yesterday." }
    if value == 13 { comic.transcript = "A python, a snake, is asleep." }
    try writer.append(comic)
    comics.append(comic)
  }
  writer.searchIndex = SearchIndexWriter.index(of: comics)
  visitor.archive = try Archive(Segment(writer.finish(.init(revision: 1))))
  return visitor
}

@Suite struct SearchPageTests {
  @Test func `without a search says how to search`() throws {
    var visitor = try visitor()
    let page = see("", in: &visitor)
    #expect(page.status == 200)
    #expect(visitor.asked.isEmpty)
    #expect(page.text.contains("Deep search also looks at alt texts, transcripts and explanations"))
  }

  @Test func `finds titles, and with deep search all texts, marks words and escapes source texts`()
    throws
  {
    var visitor = try visitor()
    let plain = see("q=friends&form=1", in: &visitor).text
    #expect(plain.contains(">1 comic</p>"))
    #expect(plain.contains("Python &amp; &lt;<mark>Friends</mark>&gt;"))
    #expect(!plain.contains("In the texts"), "there is nothing more")
    let deep = see("q=python&deep=1", in: &visitor).text
    #expect(deep.contains(">3 comics</p>"))
    #expect(deep.contains("Alt text:"))
    #expect(deep.contains("<mark>python</mark>, a snake"))
    #expect(!deep.contains("In the texts"), "it is one list")
  }

  @Test func `shows below the titles what the texts have`() throws {
    var visitor = try visitor()
    let both = see("q=python&form=1", in: &visitor).text
    #expect(visitor.asked.count == 1, "one search for both")
    #expect(both.contains(">1 comic</p>"))
    let parts = both.split(separator: "In the texts</h2>", maxSplits: 1)
    #expect(parts.count == 2 && parts[0].contains("href=\"/353/?in=search-python\""))
    #expect(
      parts.last?.contains("href=\"/12/?in=deep-python\"") == true
        && parts.last?.contains("href=\"/353/") == false
    )
    #expect(!both.contains("Show all"), "all are shown")
    let alone = see("q=snake&form=1", in: &visitor).text
    #expect(
      alone.contains(">Not in titles.</p>") && alone.contains("href=\"/13/?in=deep-snake\"")
    )
    #expect(!see("q=title&form=1&offset=25", in: &visitor).text.contains("In the texts"))
    let nothing = see("q=zzyzxq&form=1", in: &visitor).text
    #expect(nothing.contains(">No comics.</p>") && nothing.contains("Try fewer words or another spelling."))
  }

  @Test func `leads to all results of the deep search`() throws {
    var visitor = try Visitor()
    var writer = SegmentWriter()
    var comics: [Comic] = []
    for value in 1...30 {
      var comic = try Fixtures.comic(value, title: value == 7 ? "Kettle" : "Other")
      comic.alt = "Put the kettle on."
      try writer.append(comic)
      comics.append(comic)
    }
    writer.searchIndex = SearchIndexWriter.index(of: comics)
    visitor.archive = try Archive(Segment(writer.finish(.init(revision: 1))))
    let page = see("q=kettle&form=1", in: &visitor).text
    #expect(page.contains("href=\"/search?q=kettle&amp;deep=1\">Show all 30</a>"))
    #expect(page.split(separator: "class=\"card\"").count - 1 == 1 + 5)
  }

  @Test func `asks whether another word is meant only below results that aren't of it`() throws {
    var visitor = try visitor()
    let corrected = see("q=pyhton&deep=1", in: &visitor).text
    #expect(corrected.contains(">3 comics for python</p>"))
    #expect(!corrected.contains("Did you mean"))
  }

  @Test func `offers a phrase that is nowhere without its quotation marks`() throws {
    var visitor = try visitor()
    for depth in ["deep=1", "form=1"] {
      let page = see("q=%22python+programs%22&\(depth)", in: &visitor).text
      #expect(
        page.contains("Search without quotes: <a href=\"/search?q=python+programs&amp;deep="),
        "\(depth)"
      )
      #expect(!page.contains("class=\"card\""), "\(depth)")
    }
    #expect(!see("q=%22short+programs%22&deep=1", in: &visitor).text.contains("without quotes"))
  }

  @Test func `shows dates to those who search by date`() throws {
    var visitor = try visitor()
    let date = try #require(visitor.archive.latest?.date)
    #expect(see("q=\(date.iso8601)", in: &visitor).text.contains("<time datetime=\"\(date.iso8601)\">"))
    #expect(!see("q=python&deep=1", in: &visitor).text.contains("<time "))
  }

  @Test(arguments: ["deep=1", "form=1"])
  func `says on a device without the explanations what it searched, or where a script can ask`(depth: String)
    throws
  {
    var visitor = try visitor()
    let note = "Only titles, alt texts and transcripts are on this device."
    let onServer = see("q=python&\(depth)", in: &visitor)
    #expect(!onServer.text.contains(note) && !onServer.text.contains("data-lacks"))
    visitor.isDevice = true
    let first = see("q=python&\(depth)", in: &visitor)
    #expect(first.text.contains("data-lacks=\"explanations\"") && !first.text.contains(note))
    #expect(!first.serverMayKnowMore, "it is shown at once")
    #expect(see("q=python&\(depth)&more=1", in: &visitor).serverMayKnowMore)
    #expect(see("q=title&deep=1&offset=25", in: &visitor).serverMayKnowMore)
    visitor.isOffline = true
    let offline = see("q=python&\(depth)&more=1", in: &visitor)
    #expect(offline.text.contains(note) && !offline.serverMayKnowMore)
    #expect(offline.text.contains("href=\"/settings#offline-title\">Download explanations</a>"))
    #expect(!offline.text.contains("data-lacks"))
    #expect(!see("q=2012-12", in: &visitor).text.contains(note), "a date is in no text")
    #expect(!see("q=is%3Ainteractive&\(depth)", in: &visitor).text.contains(note), "nor is a filter")
  }

  @Test func `names filters that don't exist, and those that do`() throws {
    var visitor = try visitor()
    let page = see("q=is:foo+python+is:bar", in: &visitor).text
    #expect(page.contains("<strong>is:foo</strong>, <strong>is:bar</strong> are no filters. Use "))
    for filter in ["favorite", "unread", "read", "interactive", "album"] {
      #expect(page.contains("href=\"/search?q=is%3A\(filter)&amp;deep=0\">is:\(filter)</a>"))
    }
    #expect(page.contains(">1 comic</p>"), "the other words are searched")
    #expect(see("q=is:foo", in: &visitor).text.contains("<strong>is:foo</strong> is no filter."))
    #expect(!see("q=is:unread", in: &visitor).text.contains("no filter"))
    #expect(!see("q=is:fav&typing=1", in: &visitor).text.contains("no filter"), "it may still be completed")
  }

  @Test func `says so when there are no favorites to find`() throws {
    var visitor = try visitor()
    #expect(see("q=is:favorite&deep=1", in: &visitor).text.contains("You have no favorites yet."))
  }

  @Test func `shows what was typed as text`() throws {
    var visitor = try visitor()
    let page = see("q=%22%3E%3Cscript%3Ealert(1)%3C/script%3E&deep=1", in: &visitor).text
    #expect(!page.contains("<script>alert"))
    #expect(page.contains("&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"))
  }

  @Test(
    arguments: [
      ("q=353", "/353/"), ("q=%23353", "/353/"), ("q=+12+", "/12/"), ("q=%232007", ""),
      ("q=xkcd+353", "/353/"), ("q=Comic+%23353", "/353/"), ("q=https://xkcd.com/353/", "/353/"),
      ("q=comic+2007", ""), ("q=xkcd+python", ""),
    ]
  )
  func `redirects to a number`(query: String, location: String) throws {
    var visitor = try visitor()
    #expect(see(query, in: &visitor).location == Text(string: location))
  }

  @Test func `does not redirect while the reader types`() throws {
    var visitor = try visitor()
    let page = see("q=353&typing=1", in: &visitor)
    #expect(page.status == 200)
    #expect(page.text.contains("href=\"/353/?in=search-353\""))
  }

  @Test func `links to the page of 404`() throws {
    var visitor = try visitor()
    for query in ["q=404", "q=%23404", "q=xkcd+404"] {
      #expect(see(query, in: &visitor).text.contains("href=\"/404/\""), "\(query)")
    }
  }

  @Test func `searches deeply by default where the setting says so`() throws {
    var visitor = try visitor()
    let editTime = visitor.library.editTime(at: visitor.now)
    try visitor.library.library.set(.deepSearchByDefault, to: true, at: editTime)
    #expect(see("q=snake", in: &visitor).text.contains(">1 comic</p>"))
    #expect(see("q=snake&form=1", in: &visitor).text.contains("Not in titles."))
    #expect(see("q=snake&deep=0", in: &visitor).text.contains("Not in titles."))
  }

  @Test func `filters by the reader's favorites and read comics`() throws {
    var visitor = try visitor()
    _ = visitor.send("/favorites/set", "comic=12&on=yes")
    _ = visitor.send("/read/older", "comic=400")
    #expect(see("q=is:favorite", in: &visitor).text.contains("href=\"/12/?in=search-is%3Afavorite\""))
    #expect(see("q=is:favorite", in: &visitor).text.contains(">1 comic</p>"))
    #expect(see("q=is:unread", in: &visitor).text.contains(">9 comics</p>"))
  }

  @Test func `leads through pages of results and back`() throws {
    var visitor = try visitor()
    let first = see("q=title", in: &visitor).text
    #expect(first.contains(">408 comics</p>"))
    #expect(first.contains("href=\"/search?q=title&amp;deep=0&amp;offset=25\""))
    let last = see("q=title&deep=0&offset=400", in: &visitor).text
    #expect(!last.contains("More results</a>"))
    #expect(last.contains("offset=375"))
    #expect(see("q=title&offset=999999999", in: &visitor).status == 200)
  }

  @Test func `says when search is unavailable`() throws {
    var visitor = try visitor()
    visitor.canSearch = false
    let page = visitor.see("/search", query: "q=python")
    #expect(page.status == 503)
    #expect(visitor.asked.count == 1, "the search, once")
    #expect(page.text.contains("Search isn’t ready on this device yet."))
  }
}

@Suite struct MarkedTextTests {
  @Test(arguments: [
    ([0..<3], "<mark>one</mark> two &amp; three"),
    ([4..<7, 8..<9], "one <mark>two</mark> <mark>&amp;</mark> three"),
    ([4..<7, 5..<9, 100..<102, 20..<20], "one <mark>two</mark> &amp; three"),
    ([], "one two &amp; three"),
  ])
  func `is complete, whatever the marks are`(marks: [Range<Int>], html: String) {
    #expect(MarkedText(text: "one two & three", marks: marks).html.description == html)
  }
}
