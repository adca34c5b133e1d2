// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import Testing

@testable import LongboxPages

@Suite struct AlbumPagesTests {
  private static let save =
    "album=70&country=gb&name=Wick+%26+Wax&artist=%3CLamps%3E&year=1999&back=%2Falbums%2F70%3Fcountry%3Dgb"

  @Test func `save and remove an album by forms, and undo each`() throws {
    var visitor = try Visitor()
    let saved = visitor.send("/albums/save", Self.save)
    #expect(saved.status == 303 && saved.location == "/albums/70?country=gb")
    let list = visitor.see("/albums/saved").text
    #expect(list.contains(#"<a class="card" href="/albums/70?country=gb">"#))
    #expect(list.contains("<bdi>Wick &amp; Wax</bdi>") && list.contains("&lt;Lamps&gt;"))
    #expect(list.contains("Album saved for offline."))
    _ = visitor.send("/albums/remove", "album=70&back=%2Falbums%2Fsaved")
    #expect(visitor.see("/albums/saved").text.contains("Albums you save appear here"))
    _ = visitor.send("/undo", "back=%2Falbums%2Fsaved")
    #expect(visitor.see("/albums/saved").text.contains("Wick &amp; Wax"))
  }

  @Test func `are removed twice, quickly, with one undo`() throws {
    var visitor = try Visitor()
    _ = visitor.send("/albums/save", Self.save)
    _ = visitor.send("/albums/save", Self.save.replacing("album=70", with: "album=71"))
    for album in [70, 71] { _ = visitor.send("/albums/remove", "album=\(album)&back=%2Falbums%2Fsaved") }
    #expect(visitor.see("/albums/saved").text.contains("Removed 2 albums."))
    _ = visitor.send("/undo", "back=%2Falbums%2Fsaved")
    #expect(visitor.library.library.savedAlbums.count == 2)
  }

  @Test(arguments: [
    "", "album=70", "album=x&country=gb&name=a", "album=70&country=gbr&name=a", "album=70&country=gb&name=",
  ])
  func `change nothing for an incomplete form`(form: String) throws {
    var visitor = try Visitor()
    #expect(visitor.send("/albums/save", form).status == 400)
    #expect(visitor.library.library.savedAlbums.isEmpty)
  }

  @Test func `frame a page of the server, with a save or remove button`() throws {
    var visitor = try Visitor()
    let id = try #require(StoreID(70))
    let need = Need.album(id, StoreCountry("gb"))
    let middle = AlbumPage(name: "Wick <1>", body: HTML(rendered: Array("<p>Tracks</p>".utf8)))
    visitor.load = { $0 == need ? .album(middle) : nil }
    func see() -> String {
      let page = visitor.see("/albums/70", query: "country=gb").text
      #expect(visitor.asked == [need])
      return page
    }
    #expect(see().contains(#"<div class="albums album"><p>Tracks</p></div>"#))
    _ = visitor.send("/albums/save", Self.save)
    let page = see()
    #expect(page.contains(#"<div class="albums album is-saved"><p>Tracks</p></div>"#))
    #expect(page.contains("<h1><bdi>Wick &lt;1&gt;</bdi></h1>"))
    #expect(!page.contains("by Randall Munroe"), "no comic is shown here")
  }

  @Test func `show the article that the reader has chosen by a form`() throws {
    var visitor = try Visitor()
    let id = try #require(StoreID(70))
    func version(_ page: Int?, _ text: String) -> ArticleVersions.Version {
      .init(page: page, html: HTML(rendered: Array("<p>\(text)</p>".utf8)))
    }
    let body = HTML(rendered: Array("<p>Tracks</p>".utf8)) + HTML(trusted: ArticleVersions.mark)
    var middle = AlbumPage(name: "Wick", body: body)
    let versions = [version(nil, "Found"), version(0, "None"), version(4, "Chosen")]
    middle.articles = ArticleVersions(language: "en", versions: versions)
    let loaded = middle
    visitor.load = { $0 == .album(id, nil) ? .album(loaded) : nil }
    func article() -> String? {
      let page = visitor.see("/albums/70").text
      #expect(page.contains("<p>Tracks</p>") && !page.contains("<!--"))
      return ["Found", "None", "Chosen"].first { page.contains("<p>\($0)</p>") }
    }
    func pick(_ page: String, language: String = "en") -> Int {
      visitor.send("/albums/article", "album=70&language=\(language)&page=\(page)&back=%2Falbums%2F70").status
    }
    #expect(article() == "Found")
    #expect(pick("4") == 303 && article() == "Chosen")
    #expect(pick("0") == 303 && article() == "None")
    #expect(pick("9") == 303 && article() == "Found", "the page is no longer among those found")
    #expect(pick("4", language: "de") == 303 && article() == "Found", "it is a page of another Wikipedia")
    #expect(pick("4") == 303 && pick("") == 303 && article() == "Found")
    for form in ["", "album=70", "album=70&page=x&language=en", "album=70&page=4", "album=x&page="] {
      #expect(visitor.send("/albums/article", form).status == 400, "\(form)")
    }
  }

  @Test(arguments: [
    ("is:album", true), ("wick is:album", true), ("is:album LAMPS 1999", true),
    ("is:album  wax   1998", false),
    ("is:album wick & wax", true), ("is:album nothing", false),
  ])
  func `find saved albums in a search`(text: String, isFound: Bool) throws {
    var visitor = try Visitor()
    _ = visitor.send("/albums/save", Self.save)
    let words = text.replacing("&", with: "%26").replacing(" ", with: "+")
    let page = visitor.see("/search", query: "q=\(words)")
    #expect(page.status == 200 && visitor.asked.isEmpty)
    #expect(page.text.contains("<bdi>Wick &amp; Wax</bdi>") == isFound)
    #expect(page.text.contains(isFound ? ">1 album</p>" : ">No saved album matches.</p>"))
  }

  @Test(
    arguments: [
      ("/albums", Need.artists(.empty, nil, recent: []), 503),
      ("/albums/70", StoreID(70).map { .album($0, nil) }, 503),
      ("/albums/artists/7", StoreID(7).map { .discography($0, nil, .all) }, 503),
      ("/albums/70/quiz", StoreID(70).map { .quizAlbum($0, nil) }, 503),
      ("/albums/70/more", nil, 404), ("/albums/0", nil, 404),
    ] as [(String, Need?, Int)]
  )
  func `ask the server for what only it has, and say when it is unavailable`(
    path: String,
    need: Need?,
    status: Int
  ) throws {
    var host = TestHost(try Fixtures.archive(upTo: 3))
    var library = Replica(device: 1)
    for isOffline in [false, true] {
      host.context.isOffline = isOffline
      let page = host.respond(to: Request(path: Text(string: path)), library: &library)
      #expect(host.asked == (need.map { [$0] } ?? []))
      if isOffline, path == "/albums" {
        // Without a connection, the saved albums take the place of the search.
        #expect(!page.serverMayKnowMore && page.status == 200)
        #expect(page.text.contains("Search needs a connection. These are the albums that you saved."))
      } else {
        #expect(page.serverMayKnowMore && page.status == status)
        let sentence =
          path == "/albums" ? "Searching for artists needs a connection." : "This is not on this device."
        #expect(page.text.contains(sentence) == (status == 503))
      }
      #expect(Markup(page.text).faults == [])
    }
  }

  @Test func `show the saved albums at once when the store can't be asked`() throws {
    var visitor = try Visitor()
    _ = visitor.send("/albums/save", Self.save)
    let page = visitor.see("/albums").text
    #expect(
      page.contains("Searching for artists needs a connection.") && page.contains("<h2>Saved albums</h2>")
    )
    #expect(page.contains("<bdi>Wick &amp; Wax</bdi>"))
  }

  @Test func `redirect the addresses of forms to the saved albums`() throws {
    var visitor = try Visitor()
    for path in ["/albums/save", "/albums/remove", "/albums/article"] {
      #expect(visitor.see(path).location == "/albums/saved")
    }
  }

  @Test func `escape names from every source`() throws {
    let evil: Text = "<script>\"&'"
    let id = try #require(StoreID(7))
    let album = Album(id: id, artistID: id, artist: evil, name: evil, genre: evil, copyright: evil)
    let tracks = TrackList([Track(id: id, number: 1, title: evil, artist: evil)])
    let page = ArticleCandidate(
      id: 1,
      title: evil,
      summary: evil,
      extract: evil,
      address: "https://en.wikipedia.org/\""
    )
    var artists = ShownArtists(
      term: evil,
      country: .unitedStates,
      artists: [Artist(id: id, name: evil, genre: evil)]
    )
    artists.recent = [RecentArtist(id: id, country: .unitedStates, name: evil)]
    let bodies = [
      artists.page.body,
      ShownDiscography(
        id: id,
        country: .unitedStates,
        discography: Discography(artist: nil, albums: [album]),
        notice: .old(since: evil)
      ).page.body,
      ShownAlbum(
        id: id,
        country: .unitedStates,
        details: AlbumDetails(album: album, tracks: tracks),
        notice: .failed(evil),
        article: .unsure([page])
      ).page.content(for: nil),
      ShownAlbum(
        id: id,
        country: .unitedStates,
        details: AlbumDetails(album: album, tracks: tracks),
        article: .here(page, isPicked: false, isSample: false)
      ).page.content(for: nil),
    ]
    for body in bodies {
      #expect(!body.description.contains("<script"))
      #expect(body.description.contains("&lt;script&gt;"))
    }
  }

  @Test func `count the tracks of another version`() throws {
    let id = try #require(StoreID(7))
    let album = Album(id: id, artist: "A", name: "Box", trackCount: 2)
    let copy = Album(
      id: try #require(StoreID(8)),
      artist: "A",
      name: "Box",
      trackCount: 1,
      explicitness: .cleaned
    )
    let discography = Discography(artist: nil, albums: [album, copy])
    let page = ShownDiscography(id: id, country: .unitedStates, discography: discography).page
    #expect(page.body.description.contains(">Clean version, 1 track<"))
  }

  @Test func `say when the store lists only part of an album`() throws {
    let id = try #require(StoreID(7))
    let tracks = TrackList([Track(id: id, number: 1, title: "One")])
    var details = AlbumDetails(
      album: Album(id: id, artist: "A", name: "Box", trackCount: 240),
      tracks: tracks
    )
    func page() -> String {
      ShownAlbum(id: id, country: .unitedStates, details: details).page.body.description
    }
    #expect(!page().contains("The store lists"))
    details.givenCount = 200
    #expect(page().contains("The store lists 240 tracks, but names only 200."))
  }

  @Test func `mark Wikipedia's text with its language, and link only to a known address`()
    throws
  {
    let id = try #require(StoreID(7))
    let page = ArticleCandidate(
      id: 1,
      title: "Wick",
      summary: "Album der Lamps",
      extract: "Wick ist ein Album."
    )
    var shown = ShownAlbum(
      id: id,
      country: .unitedStates,
      details: AlbumDetails(album: Album(id: id, artist: "A", name: "Wick"), tracks: TrackList([])),
      article: .unsure([page])
    )
    shown.articleLanguage = "de"
    let asked = shown.page.content(for: nil).description
    #expect(asked.contains(#"<bdi lang="de">Wick</bdi>"#))
    #expect(asked.contains(#"<span lang="de" dir="auto">Album der Lamps</span>"#))
    shown.article = .here(page, isPicked: false, isSample: false)
    let text = shown.page.content(for: nil).description
    #expect(text.contains(#"<p lang="de" dir="auto">Wick ist ein Album.</p>"#))
    for text in [asked, text] { #expect(!text.contains("href=\"\"")) }
    shown.article = .dismissed([page])
    #expect(shown.page.content(for: nil).description.contains("Is it one of these?"))
  }

  @Test func `let the reader choose the language of articles where they name it`() throws {
    let id = try #require(StoreID(7))
    var shown = ShownAlbum(
      id: id,
      country: .unitedStates,
      details: AlbumDetails(album: Album(id: id, artist: "A", name: "Wick"), tracks: TrackList([])),
      article: .none
    )
    shown.articleLanguage = "de"
    func page() -> String { shown.page.content(for: nil).description }
    shown.articleLanguages = ["en"]
    #expect(!page().contains("<select"), "there is no other language")
    shown.articleLanguages = ["tlh", "en", "de"]
    #expect(page().contains(#"action="/albums/settings""#))
    #expect(page().contains(#"<label for="language">Language of articles</label>"#))
    #expect(
      page().contains(
        #"<option value="tlh">tlh</option><option value="de" selected>Deutsch</option><option value="en">English</option>"#
      )
    )
    var settings = ShownAlbumSettings(
      country: .unitedStates,
      articleLanguage: "de",
      articleLanguages: shown.articleLanguages,
      showsCovers: true,
      isSaved: false
    )
    func groups() -> String { settings.groups.description }
    #expect(groups().contains(#"<select id="language" name="language">"#))
    #expect(groups().contains(#"<option value="de" selected>Deutsch</option>"#))
    #expect(groups().contains("<span class=\"value\">Wikipedia</span>"))
    settings.articleLanguages = ["de"]
    #expect(!groups().contains(#"id="language""#))
    #expect(groups().contains("<span class=\"value\">Wikipedia, Deutsch</span>"))
    settings.articleLanguage = nil
    #expect(groups().contains("<span class=\"value\">Off</span>"))
  }

  @Test(
    arguments: [
      (AlbumNotice.waiting(seconds: 4), 5), (.waiting(seconds: 300), 15), (.absent, nil),
      (.failed("No."), nil),
    ] as [(AlbumNotice, Int?)]
  )
  func `reload while their question is queued`(notice: AlbumNotice, seconds: Int?) {
    #expect(notice.reload == seconds)
  }
}
