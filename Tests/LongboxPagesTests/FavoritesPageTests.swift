// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import Testing

@testable import LongboxPages

@Suite struct FavoritesPageTests {
  /// A reader with favorites, added in this order.
  private func visitor(with comics: [Int]) throws -> Visitor {
    var visitor = try Visitor(upTo: 40)
    for comic in comics { _ = visitor.send("/favorites/set", "comic=\(comic)&on=yes") }
    return visitor
  }

  /// The comics of a page, in order.
  private func shown(_ page: String) -> [Int] {
    page.matches(of: /<li id="c(\d+)">/).compactMap { Int($0.1) }
  }

  @Test func `sorts as asked, and remembers it`() throws {
    var visitor = try visitor(with: [7, 30, 12])
    visitor.archive = try Fixtures.archive(
      upTo: 40,
      changing: [7: { $0.title = "Kettle" }, 12: { $0.title = "Pigeon" }, 30: { $0.title = "Attic" }]
    )
    #expect(shown(visitor.see("/favorites").text) == [12, 30, 7])
    #expect(shown(visitor.see("/favorites", query: "sort=number").text) == [7, 12, 30])
    let again = visitor.see("/favorites").text
    #expect(shown(again) == [7, 12, 30])
    #expect(again.contains(#"<a href="/favorites?sort=number" aria-current="true">Number</a>"#))
    #expect(shown(visitor.see("/favorites", query: "sort=title").text) == [30, 7, 12])
    #expect(shown(visitor.see("/favorites", query: "sort=newest").text) == [12, 30, 7])
    _ = visitor.see("/favorites", query: "sort=number", isPrefetch: true)
    #expect(shown(visitor.see("/favorites").text) == [12, 30, 7], "a page fetched ahead was not chosen")
  }

  @Test func `removes a comic by the heart on its cover, and shows its note as a line`() throws {
    var visitor = try visitor(with: [7])
    _ = visitor.send("/favorites/note", "comic=7&note=For+the+door&back=/favorites")
    let page = visitor.see("/favorites").text
    #expect(page.contains(#"class="on-cover" aria-label="Remove 7 "#))
    #expect(page.contains("<summary><span>For the door</span></summary>"))
    #expect(!page.contains("Explanation"))
  }

  @Test func `has a search field from twelve favorites on, which finds titles, numbers and notes`() throws {
    var visitor = try visitor(with: Array(1...11))
    #expect(!visitor.see("/favorites").text.contains("Search favorites"))
    _ = visitor.send("/favorites/set", "comic=33&on=yes")
    _ = visitor.send("/favorites/note", "comic=5&note=For+my+m%C3%A9tro&back=/favorites")
    #expect(visitor.see("/favorites").text.contains("Search favorites"))
    let found = visitor.see("/favorites", query: "q=METRO").text
    #expect(shown(found) == [5])
    #expect(found.contains("1 of 12 favorites"))
    #expect(shown(visitor.see("/favorites", query: "q=33").text) == [33])
    #expect(shown(visitor.see("/favorites", query: "q=nothing").text) == [])
  }

  @Test func `has pages of two hundred, also while selecting`() throws {
    var visitor = try Visitor(upTo: 390)
    for comic in 1...390 { _ = visitor.send("/favorites/set", "comic=\(comic)&on=yes") }
    let first = visitor.see("/favorites", query: "sort=number").text
    #expect(shown(first) == Array(1...200))
    #expect(first.contains("390 comics") && first.contains("1 to 200 of 390"))
    #expect(!first.contains("Earlier favorites"))
    #expect(first.contains(#"<a href="/favorites?sort=number&amp;offset=200">More favorites</a>"#))
    let last = visitor.see("/favorites", query: "sort=number&offset=200").text
    #expect(shown(last) == Array(201...390))
    #expect(last.contains(#"<a href="/favorites?sort=number">Earlier favorites</a>"#))
    #expect(!last.contains("More favorites</a>"))
    #expect(shown(visitor.see("/favorites", query: "sort=number&offset=9999").text) == Array(201...390))
    let selecting = visitor.see("/favorites", query: "sort=number&select=all").text
    #expect(selecting.matches(of: /name="comic"/).count == 200)
    #expect(
      selecting.contains(
        #"<a href="/favorites?sort=number&amp;select=all&amp;offset=200">More favorites</a>"#
      )
    )
  }

  @Test func `removes several at once, which can be undone`() throws {
    var visitor = try visitor(with: [1, 2, 3, 4])
    let page = visitor.see("/favorites", query: "select=1").text
    #expect(page.contains(#"<input type="checkbox" name="comic" value="3">"#))
    let all = visitor.see("/favorites", query: "select=all").text
    #expect(all.contains(#"<input type="checkbox" name="comic" value="3" checked>"#))
    #expect(Markup(page).faults == [] && Markup(all).faults == [])
    _ = visitor.send("/favorites/remove", "comic=3&comic=1&comic=40&back=/favorites")
    #expect(Set(visitor.favorites) == [2, 4])
    #expect(visitor.see("/favorites").text.contains("Removed 2 favorites."))
    _ = visitor.send("/undo", "back=/favorites")
    #expect(Set(visitor.favorites) == [1, 2, 3, 4])
  }

  @Test func `asks before it removes so many that they can't be undone`() throws {
    var visitor = try visitor(with: Array(1...40))
    // Each note takes about 110 bytes of the undo.
    for comic in 1...40 {
      let note = String(repeating: "x", count: 85)
      _ = visitor.send("/favorites/note", "comic=\(comic)&note=\(note)&back=/favorites")
    }
    let before = visitor.library
    let chosen = (1...40).map { "comic=\($0)" }.joined(separator: "&")
    let question = visitor.send("/favorites/remove", "back=%2Ffavorites&\(chosen)&comic=1&comic=405")
    #expect(question.status == 200 && question.caching == .never)
    #expect(question.text.contains("This removes 40 favorites and their notes, on all your devices."))
    #expect(Markup(question.text).faults == [])
    #expect(visitor.library == before)
    // What the form of the page sends.
    let fields = question.text.matches(of: /<input type="hidden" name="([a-z]+)" value="([^"]*)">/)
      .map { "\($0.1)=\($0.2)" }
    #expect(fields.count == 42)
    let done = visitor.send("/favorites/remove", fields.joined(separator: "&"))
    #expect(done.location == "/favorites")
    #expect(visitor.favorites.isEmpty)
    let page = visitor.see("/favorites").text
    #expect(page.contains("Removed 40 favorites.") && !page.contains("Undo"))
  }

  @Test func `removes a hundred at once without asking, and leads back`() throws {
    var visitor = try Visitor(upTo: 100)
    for comic in 1...100 { _ = visitor.send("/favorites/set", "comic=\(comic)&on=yes") }
    // Shows the notice, which has a form of its own.
    _ = visitor.see("/favorites")
    let page = visitor.see("/favorites", query: "select=all").text
    let fields = page.matches(of: /<input type="[a-z]+" name="(back|comic)" value="([^"]*)"/)
      .map { "\($0.1)=\($0.2)" }
    #expect(fields.count == 101)
    #expect(visitor.send("/favorites/remove", fields.joined(separator: "&")).location == "/favorites")
    #expect(visitor.favorites.isEmpty)
    _ = visitor.send("/undo", "back=/favorites")
    #expect(visitor.favorites.count == 100)
  }

  @Test func `says how to fill it`() throws {
    var visitor = try Visitor()
    let page = visitor.see("/favorites").text
    #expect(page.contains("Comics you favorite appear here. Tap the heart on any comic."))
    #expect(page.contains("Random comic") && !page.contains("Select"))
  }

  @Test func `undoes a removal together with one right before it`() throws {
    var visitor = try visitor(with: [5, 7, 9])
    _ = visitor.send("/favorites/set", "comic=5&on=no&back=/favorites")
    #expect(visitor.see("/favorites").text.contains("Removed 5 from favorites."))
    _ = visitor.send("/favorites/set", "comic=7&on=no&back=/favorites")
    #expect(visitor.see("/favorites").text.contains("Removed 2 favorites."))
    _ = visitor.send("/undo", "back=/favorites")
    #expect(visitor.favorites.sorted() == [5, 7, 9])
    _ = visitor.send("/favorites/set", "comic=5&on=no")
    visitor.now += 30_000
    _ = visitor.send("/favorites/set", "comic=7&on=no")
    #expect(visitor.see("/favorites").text.contains("Removed 7 from favorites."))
    _ = visitor.send("/undo", "back=/favorites")
    #expect(visitor.favorites.sorted() == [7, 9], "the first removal was long ago")
  }

  @Test func `has notes that the comic's page shows, too`() throws {
    var visitor = try visitor(with: [7])
    #expect(visitor.see("/7/").text.contains("<summary>Add a note</summary>"))
    #expect(!visitor.see("/8/").text.contains("Add a note"))
    let sent = visitor.send("/favorites/note", "comic=7&note=For+the+door&back=%2F7%2F%3Fin%3Dfavorites")
    #expect(sent.location == "/7/?in=favorites")
    let page = visitor.see("/7/").text
    #expect(page.contains("<summary><span>For the door</span></summary>"))
  }
}
