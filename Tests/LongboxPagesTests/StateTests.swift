// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import Testing

@testable import LongboxPages

/// A reader at one host, who sends forms and opens pages.
struct Visitor {
  var archive: Archive
  var library = Replica(device: 7)
  var now: UInt64 = 1_800_000_000_000
  /// Loads a need; nil means unavailable.
  var load: (Need) -> Loaded.Value? = { _ in nil }
  var canSearch = true
  var isOffline = false
  var isDevice = false
  /// The needs of the last response.
  private(set) var asked: [Need] = []

  init(upTo latest: Int = 410) throws {
    archive = try Fixtures.archive(upTo: latest)
  }

  mutating func see(_ path: String, query: String = "", isPrefetch: Bool = false) -> Response {
    now += 1000
    return respond(
      to: Request(
        path: Text(string: path),
        query: Text(string: query),
        now: now,
        isRemembered: true,
        isPrefetch: isPrefetch
      )
    )
  }

  mutating func send(_ path: String, _ body: String) -> Response {
    now += 1000
    return respond(
      to: Request(
        method: .post,
        path: Text(string: path),
        body: Text(string: body),
        now: now,
        isRemembered: true
      )
    )
  }

  private mutating func respond(to request: Request) -> Response {
    var host = TestHost(archive)
    host.load = load
    host.canSearch = canSearch
    host.context.isOffline = isOffline
    host.context.isDevice = isDevice
    defer { asked = host.asked }
    return host.respond(to: request, library: &library)
  }

  var favorites: [Int] { library.library.favorites.map(\.comic.value) }

  func hasRead(_ value: Int) throws -> Bool {
    library.library.readMarks.isRead(try #require(Comic.Number(value)))
  }
}

@Suite struct PrefetchTests {
  @Test func `equals the page that is shown, and records nothing`() throws {
    var visitor = try Visitor()
    _ = visitor.send("/favorites/set", "comic=353&on=yes&back=%2F5%2F")
    let ahead = visitor.see("/5/", isPrefetch: true)
    #expect(try !visitor.hasRead(5))
    #expect(visitor.library.library.place == nil)
    #expect(!ahead.text.contains("Undo"), "what is to be said is said to who looks")
    let seen = visitor.see("/5/")
    #expect(try visitor.hasRead(5))
    #expect(seen.text.contains("Undo"))
    #expect(visitor.see("/5/").text == ahead.text)
  }
}

@Suite struct EditTests {
  @Test func `add and remove a favorite, and redirect back`() throws {
    var visitor = try Visitor()
    let added = visitor.send("/favorites/set", "comic=353&on=yes&back=%2F353%2F")
    #expect(added.status == 303)
    #expect(added.location == "/353/")
    #expect(visitor.favorites == [353])
    #expect(visitor.see("/353/").text.contains("aria-pressed=\"true\""))
    #expect(visitor.see("/favorites").text.contains("href=\"/353/?in=favorites\""))
    _ = visitor.send("/favorites/set", "comic=353&on=no&back=/favorites")
    #expect(visitor.favorites.isEmpty)
    #expect(visitor.see("/353/").text.contains("aria-pressed=\"false\""))
  }

  @Test func `are answered once with a notice, which offers undo`() throws {
    var visitor = try Visitor()
    _ = visitor.send("/favorites/set", "comic=353&on=yes&back=/353/")
    _ = visitor.send("/favorites/note", "comic=353&note=so+true&back=/favorites")
    _ = visitor.send("/favorites/set", "comic=353&on=no&back=/favorites")
    let page = visitor.see("/favorites").text
    #expect(page.contains("Removed 353 from favorites."))
    #expect(page.contains("action=\"/undo\""))
    #expect(!visitor.see("/favorites").text.contains("Removed 353"), "a notice is shown once")
    _ = visitor.send("/undo", "back=/favorites")
    #expect(visitor.library.library.favorites.first?.note == "so true", "with its note")
    #expect(visitor.see("/favorites").text.contains("Undone."))
  }

  @Test func `undo nothing where nothing was done`() throws {
    var visitor = try Visitor()
    #expect(visitor.send("/undo", "back=/").status == 303)
    #expect(visitor.favorites.isEmpty)
  }

  @Test func `clear the favorites after a confirmation`() throws {
    var visitor = try Visitor()
    for comic in [1, 2, 3] { _ = visitor.send("/favorites/set", "comic=\(comic)&on=yes") }
    #expect(visitor.see("/favorites/clear").text.contains("your 3 favorites"))
    #expect(visitor.favorites.count == 3)
    _ = visitor.send("/favorites/clear", "back=/favorites")
    #expect(visitor.favorites.isEmpty)
    #expect(visitor.see("/favorites/clear").text.contains("You have no favorites yet."))
  }

  @Test func `mark all comics as unread after a confirmation, and undo it`() throws {
    var visitor = try Visitor()
    #expect(visitor.see("/read/clear").text.contains("You have not read any comic yet."))
    _ = visitor.send("/read/older", "comic=3")
    let comic = try #require(Comic.Number(2))
    #expect(visitor.see("/read/clear").text.contains("All comics count as unread again"))
    #expect(visitor.library.library.readMarks.isRead(comic))
    _ = visitor.send("/read/clear", "back=/settings")
    #expect(!visitor.library.library.readMarks.isRead(comic))
    #expect(visitor.see("/settings").text.contains("Marked all comics as unread."))
    #expect(visitor.see("/read/clear").text.contains("You have not read any comic yet."))
    #expect(visitor.see("/comics").text.contains("I have read up to comic"))
    _ = visitor.send("/undo", "back=/settings")
    #expect(visitor.library.library.readMarks.isRead(comic))
  }

  @Test func `set how pages look`() throws {
    var visitor = try Visitor()
    #expect(!visitor.see("/").text.contains("data-appearance"))
    _ = visitor.send("/settings/set", "appearance=dark&pictures=dim&back=/settings")
    let page = visitor.see("/settings").text
    #expect(page.contains("<html lang=\"en\" data-appearance=\"dark\" data-pictures=\"dim\">"))
    #expect(page.contains("value=\"dark\" checked"))
    #expect(page.contains("value=\"dim\" checked"))
    #expect(page.contains("Settings saved."))
    _ = visitor.send("/settings/set", "appearance=system&pictures=invert&back=/settings")
    #expect(visitor.see("/").text.contains(#"<html lang="en">"#))
  }

  @Test func `change one setting, and leave no notice where a script sends it`() throws {
    var visitor = try Visitor()
    _ = visitor.send("/settings/set", "appearance=dark&alt=always")
    _ = visitor.see("/settings")
    #expect(visitor.send("/settings/set", "deep=on&quiet=1").status == 303)
    let page = visitor.see("/settings").text
    #expect(!page.contains("Settings saved."))
    #expect(visitor.library.library.value(of: .appearance) == .dark)
    #expect(visitor.library.library.value(of: .altText) == .always)
    #expect(visitor.library.library.value(of: .deepSearchByDefault))
    // As a form sends a switch that is on: its own value first.
    _ = visitor.send("/settings/set", "keys=on&keys=off&keep=off")
    #expect(visitor.library.library.value(of: .shortcuts))
    #expect(!visitor.library.library.value(of: .keepComics))
  }

  @Test func `say which file an export makes, and how large it is`() throws {
    var visitor = try Visitor()
    func size(_ kilobytes: Int) -> String {
      "<small>longbox-library.json, a JSON file of \(kilobytes) kB with your favorites, notes, read marks and settings.<"
    }
    #expect(visitor.see("/settings").text.contains(size(1)))
    for comic in 1...5 {
      let note = String(repeating: "x", count: 400)
      _ = visitor.send("/favorites/set", "comic=\(comic)&on=yes")
      _ = visitor.send("/favorites/note", "comic=\(comic)&note=\(note)")
    }
    let file = visitor.see("/settings/export").body
    #expect(file.count > 2_000)
    #expect(visitor.see("/settings").text.contains(size((file.count + 999) / 1_000)))
  }

  @Test func `show one comic as it was drawn`() throws {
    var visitor = try Visitor()
    let comic = try #require(Comic.Number(3))
    _ = visitor.send("/pictures/drawn", "comic=3&on=yes&back=/3/")
    #expect(visitor.library.library.isShownAsDrawn(comic))
    _ = visitor.send("/pictures/drawn", "comic=3&on=no&back=/3/")
    #expect(!visitor.library.library.isShownAsDrawn(comic))
  }

  @Test func `set how comics are shown`() throws {
    var visitor = try Visitor()
    let inDetails = visitor.see("/3/").text
    #expect(inDetails.contains(#"<div class="part-body" id="part-about"><p class="alt">"#))
    _ = visitor.send("/settings/set", "wide=readable&alt=always&tap=zoom&keys=off&back=/settings")
    let page = visitor.see("/3/").text
    #expect(page.contains(#"</figure><p class="alt">"#), "under the picture")
    #expect(page.split(separator: #"<p class="alt"#).count == 2, "and nowhere else")
    #expect(page.contains(#"<html lang="en" data-double-tap="zoom" data-shortcuts="off">"#))
    let settings = visitor.see("/settings").text
    for checked in ["value=\"readable\" checked", "value=\"always\" checked", "value=\"zoom\" checked"] {
      #expect(settings.contains(checked))
    }
    _ = visitor.send("/settings/set", "tap=nothing")
    #expect(visitor.see("/3/").text.contains(#" data-double-tap="nothing""#))
    _ = visitor.send("/settings/set", "alt=tap&tap=favorite&keys=on")
    #expect(visitor.see("/3/").text.contains(#"<html lang="en">"#))
  }

  /// A form that lacks something, or is unknown.
  @Test(arguments: [
    ("/favorites/set", ""), ("/favorites/set", "comic=404&on=yes"), ("/favorites/set", "comic=0&on=yes"),
    ("/favorites/set", "comic=abc&on=yes"), ("/settings/set", "appearance=pink"), ("/settings/set", ""),
    ("/settings/set", "alt=sideways&tap=zoom"), ("/settings/set", "alt=always&keys=maybe"),
    ("/settings/set", "quiet=1"), ("/pictures/drawn", "on=yes"),
    ("/read/set", "on=yes"), ("/read/older", "comic=-1"), ("/elsewhere", "comic=1"), ("/", ""),
    ("/353/", "comic=353"),
  ])
  func `that can't be read change nothing, and say so`(path: String, body: String) throws {
    var visitor = try Visitor()
    let before = visitor.library
    let response = visitor.send(path, body)
    #expect(response.status == 400)
    #expect(response.text.contains("role=\"alert\""))
    #expect(visitor.library == before)
  }

  @Test func `reject a note that is too long`() throws {
    var visitor = try Visitor()
    let response = visitor.send("/favorites/note", "comic=1&note=" + String(repeating: "x", count: 1501))
    #expect(response.status == 400)
    #expect(response.text.contains("It can have 500 characters."))
    #expect(visitor.favorites.isEmpty)
  }

  /// A browser counts a character such as 😀 as two, and others as one; one takes at most three bytes.
  @Test(arguments: [(["漢", "字"], 500), (["😀", "🐍"], 250), (["é", "É"], 500)] as [([String], Int)])
  func `accept a note of 500 characters, and undo a change of it`(characters: [String], count: Int) throws {
    var visitor = try Visitor()
    let notes = characters.map { String(repeating: $0, count: count) }
    for note in notes {
      #expect(visitor.send("/favorites/note", "comic=1&note=\(note)").status == 303)
      #expect(visitor.library.library.favorite(.first)?.note == Text(string: note))
    }
    _ = visitor.send("/undo", "back=/favorites")
    #expect(visitor.library.library.favorite(.first)?.note == Text(string: notes[0]))
    #expect(visitor.see("/favorites").text.contains(#"maxlength="500""#))
  }

  /// A reader with a favorite, whose library has room for this many bytes.
  private func visitor(withRoomFor room: Int) throws -> Visitor {
    let timestamp = Timestamp(time: 1, device: 1)
    func entry(_ key: String, _ value: Text) throws -> LibraryEntry {
      try LibraryEntry(key: LibraryKey(Text(string: key)), value: value, timestamp: timestamp)
    }
    let large = Text(repeatElement(65, count: LibraryLimits.valueLength))
    var entries = [try entry("favorite/comic/1", Text([1, 1]))]
    for index in 1000..<3045 { entries.append(try entry("k\(index)", large)) }
    var library = try Library(entries: entries, sequences: entries.map { _ in 0 }, sequence: 0)
    let rest = LibraryLimits.size - library.size - 1 - room
    try library.set(LibraryKey("l"), to: Text(repeatElement(65, count: rest)), timestamp: timestamp)
    var visitor = try Visitor(upTo: 3)
    visitor.library = Replica(library: library, device: 7)
    return visitor
  }

  @Test func `are stored entirely or not at all`() throws {
    // The first setting fits, the second doesn't.
    var visitor = try visitor(withRoomFor: 30)
    let before = visitor.library
    let response = visitor.send("/settings/set", "appearance=dark&pictures=dim&back=/settings")
    #expect(response.status == 400 && response.text.contains("nothing was changed"))
    #expect(visitor.library == before)
  }

  @Test func `remove a favorite from a full library, although no notice fits`() throws {
    var visitor = try visitor(withRoomFor: 0)
    #expect(visitor.send("/favorites/set", "comic=1&on=no&back=/favorites").status == 303)
    #expect(visitor.favorites.isEmpty)
    #expect(!visitor.see("/favorites").text.contains("Removed 1 from favorites."))
  }

  /// The address a form asks to go back to, and where it redirects.
  @Test(arguments: [
    ("/353/", "/353/"), ("/comics?year=2014&unread=1", "/comics?year=2014&unread=1"), ("", "/"),
    ("//evil.example", "/"), ("https://evil.example", "/"), ("/\\evil.example", "/"), ("/a b", "/"),
    ("/a\r\nSet-Cookie: x=y", "/"), ("javascript:alert(1)", "/"), ("/caf\u{E9}", "/"),
    ("/" + String(repeating: "x", count: 300), "/"),
  ])
  func `redirect only to our own pages`(back: String, location: String) {
    #expect(BackAddress.link(Text(string: back)).address == Text(string: location))
  }
}

@Suite struct ReadMarkTests {
  @Test func `are those that were viewed`() throws {
    var visitor = try Visitor()
    _ = visitor.see("/7/")
    #expect(try visitor.hasRead(7))
    #expect(try !visitor.hasRead(6))
    #expect(visitor.see("/continue").location == "/7/")
    #expect(visitor.see("/comics").text.contains("Continue with #7"))
  }

  @Test func `are those that were reported, where showing a page is no view`() throws {
    var visitor = try Visitor()
    _ = visitor.send("/read/viewed", "comic=7")
    #expect(try visitor.hasRead(7))
    #expect(visitor.see("/continue").location == "/7/")
    _ = visitor.send("/read/viewed", "comic=9&place=keep")
    #expect(try visitor.hasRead(9))
    #expect(visitor.see("/continue").location == "/7/")
    _ = visitor.send("/read/set", "comic=7&on=no")
    _ = visitor.send("/read/viewed", "comic=7")
    #expect(try !visitor.hasRead(7), "the reader has just marked it as unread")
    #expect(visitor.library.library.hasOnlyViews)
    _ = visitor.send("/favorites/set", "comic=7&on=yes")
    #expect(!visitor.library.library.hasOnlyViews)
  }

  @Test func `aren't made by samples, whose numbers are those of other comics`() throws {
    var visitor = try Visitor()
    visitor.archive = try Fixtures.archive(upTo: 12, isSampleBox: true)
    #expect(visitor.see("/7/").text.contains("Mark as read"))
    _ = visitor.send("/read/viewed", "comic=7")
    #expect(visitor.see("/comics", query: "view=map").text.contains("<strong>0</strong> of 12 comics read"))
    #expect(visitor.library.library.entries.isEmpty)
  }

  @Test func `are where Longbox opens, for eight hours; later the latest comic offers to go on`() throws {
    var visitor = try Visitor()
    #expect(visitor.see("/open").location == "/")
    #expect(visitor.see("/favorites").text.contains(#"class="tab" href="/">"#))
    _ = visitor.see("/7/")
    #expect(visitor.see("/favorites").text.contains(#"class="tab" href="/open">"#))
    #expect(visitor.see("/open").location == "/7/")
    #expect(!visitor.see("/favorites").text.contains("Continue at"))
    visitor.now += 9 * 3_600_000
    #expect(visitor.see("/open").location == "/")
    let latest = visitor.see("/").text
    #expect(latest.contains(#"href="/7/">Continue at #7</a>"#))
    #expect(try visitor.hasRead(410))
    #expect(visitor.see("/continue").location == "/7/", "the latest does not replace the place")
    visitor.now += 31 * 24 * 3_600_000
    #expect(!visitor.see("/").text.contains("Continue at"))
    #expect(visitor.see("/continue").location == "/410/")
  }

  @Test func `are not where Longbox opens if the reader chose another beginning`() throws {
    var visitor = try Visitor()
    _ = visitor.see("/7/")
    #expect(visitor.send("/settings/set", "open=random&back=/settings").status == 303)
    #expect(visitor.see("/open").location == "/random")
    #expect(
      visitor.see("/favorites").text.contains(#"class="tab" href="/continue">"#),
      "going back to the comics isn't opening Longbox"
    )
    _ = visitor.send("/settings/set", "open=continue&back=/settings")
    visitor.now += 9 * 3_600_000
    #expect(visitor.see("/open").location == "/7/")
    #expect(visitor.send("/settings/set", "open=favorite").status == 400)
  }

  @Test func `offer nothing to go on with where only the latest is left`() throws {
    var visitor = try Visitor()
    _ = visitor.see("/409/")
    visitor.now += 9 * 3_600_000
    #expect(!visitor.see("/").text.contains("Continue at"))
  }

  @Test func `are not recorded without a library`() throws {
    let archive = try Fixtures.archive(upTo: 10)
    var library = Replica(device: 1)
    let request = Request(path: "/7/", now: 1000)
    var host = TestHost(archive)
    #expect(host.respond(to: request, library: &library).status == 200)
    #expect(library == Replica(device: 1))
  }

  @Test func `can be marked as unread, also on their own page`() throws {
    var visitor = try Visitor()
    #expect(visitor.see("/7/").text.contains("Mark as unread"))
    _ = visitor.send("/read/set", "comic=7&on=no&back=/7/")
    #expect(visitor.see("/7/").text.contains("Mark as read"), "to be led back is not to read")
    #expect(try !visitor.hasRead(7))
    _ = visitor.see("/7/")
    #expect(try visitor.hasRead(7))
  }

  @Test func `are marked up to a comic in one step, and restored by undo`() throws {
    var visitor = try Visitor()
    _ = visitor.send("/read/older", "comic=400&back=/comics")
    #expect(try visitor.hasRead(1) && visitor.hasRead(400))
    #expect(try !visitor.hasRead(401))
    let unread = visitor.see("/comics", query: "unread=1").text
    #expect(!unread.contains("href=\"/400/"))
    #expect(unread.contains("href=\"/401/?in=unread\""))
    _ = visitor.send("/undo", "back=/comics")
    #expect(try !visitor.hasRead(1))
  }

  @Test func `may be all of them`() throws {
    var visitor = try Visitor(upTo: 5)
    _ = visitor.send("/read/older", "comic=5")
    #expect(visitor.see("/comics", query: "unread=1").text.contains("You have read all of these."))
  }
}
