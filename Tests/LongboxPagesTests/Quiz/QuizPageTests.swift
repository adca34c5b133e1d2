// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import TestSupport
import Testing

@testable import LongboxPages

/// A reader without scripts, who plays with the forms of the pages.
private struct QuizReader {
  static let titles: [Text] = [
    "Paper Lanterns", "Salt & Honey", "Harbour (Live)", "Suite, Pt. 1", "Suite, Pt. 2", "<b>Été</b>",
  ]

  var tracks = AlbumTracks(
    album: "7",
    name: "Card & Board",
    artist: "3",
    artistName: "The Boxes",
    titles: titles
  )
  var library = Replica(device: 1)
  var now: UInt64 = 1_795_247_040_000
  var response = Response(redirect: 303, to: .latest)
  private let archive: Archive
  /// The number of entries for the saved albums.
  private(set) var savedEntries = 0

  /// Saves both albums of the artist.
  init() throws {
    archive = try Fixtures.archive(upTo: 3)
    for (number, name) in [(7, "Card & Board"), (8, "Tin")] as [(UInt64, Text)] {
      let album = SavedAlbum(
        id: try #require(StoreID(number)),
        country: .unitedStates,
        year: 1999,
        name: name,
        artist: "The Boxes"
      )
      _ = try library.library.save(try #require(album), at: library.editTime(at: now))
    }
    savedEntries = library.library.entries.count
    get()
  }

  var text: String { response.text }
  var markup: Markup { Markup(text) }

  /// The titles in the order on the page.
  var shownOrder: [String] {
    text.matches(of: /<div class="quiz-row"><span><bdi>([^\n]*?)<\/bdi>/).map { String($0.1) }
  }

  mutating func get() { respond(.get, .empty) }

  /// Sends a form's fields, with the state from the page.
  mutating func post(_ fields: String) {
    let state = text.firstMatch(of: /name="state" value="([A-Za-z0-9_-]+)"/).map { "state=\($0.1)&" } ?? ""
    respond(.post, Text(string: state + fields))
  }

  /// Moves each track up to its place.
  mutating func sort() {
    for (place, title) in Self.titles.enumerated() {
      let name = String(decoding: HTML(title).bytes, as: UTF8.self)
      for _ in 0..<Self.titles.count {
        guard let at = shownOrder.firstIndex(of: name), at > place else { break }
        post("up=\(at)")
      }
    }
  }

  mutating func respond(_ method: Request.Method, _ body: Text) {
    now += 1000
    let request = Request(
      method: method,
      path: "/albums/7/quiz",
      body: body,
      random: 5,
      now: now,
      isRemembered: true
    )
    var host = TestHost(archive)
    host.load = load
    response = host.respond(to: request, library: &library)
    if let asked = host.asked.first { #expect(isQuizAlbum(asked)) }
    #expect(host.asked.count == (QuizVisit.needsArtist(request) && !tracks.artist.isEmpty ? 2 : 1))
    #expect(markup.faults == [])
  }

  private func isQuizAlbum(_ need: Need) -> Bool {
    if case .quizAlbum(let album, nil) = need { album.value == 7 } else { false }
  }

  private func load(_ need: Need) -> Loaded.Value? {
    var page = AlbumPage(name: "Album", body: HTML())
    switch need {
    case .quizAlbum: page.tracks = tracks
    case .storedAlbum(let album, .unitedStates) where album.value == 8:
      page.tracks = AlbumTracks(
        album: "8",
        name: "Tin",
        artist: "3",
        artistName: "The Boxes",
        titles: ["Rust", "Hinge", "Lid"]
      )
    default: return nil
    }
    return .album(page)
  }
}

@Suite struct QuizPageTests {
  @Test func `offers every kind that has enough to ask`() throws {
    var reader = try QuizReader()
    for kind in QuizKind.allCases { #expect(reader.text.contains("aria-label=\"Play: \(kind.title)\"")) }
    reader.tracks.artist = .empty
    reader.get()
    #expect(!reader.text.contains("Which album?"))
    reader.tracks.titles = []
    reader.get()
    #expect(reader.text.contains("There are too few tracks for a quiz."))
  }

  @Test func `accepts track names, and reveals no title before`() throws {
    var reader = try QuizReader()
    reader.post("start=tracks")
    for title in ["Lanterns", "Honey", "Harbour", "Suite", "Été"] { #expect(!reader.text.contains(title)) }
    #expect(reader.text.contains("<span class=\"quiz-count\">0 of 6</span>"))
    #expect(reader.text.contains("aria-label=\"Track title\""))
    #expect(reader.text.contains("<ol class=\"quiz-tracks\" role=\"list\" aria-label=\"Tracks\">"))
    reader.post("guess=paper+lantrens")
    #expect(reader.text.contains("1 of 6</span></p>") && reader.text.contains(">Right.</p>"))
    #expect(reader.text.contains("Paper Lanterns"))
    reader.post("guess=paper+lanterns")
    #expect(reader.text.contains("Already found."))
    reader.post("guess=suite")
    #expect(reader.text.contains("More than one track") && reader.text.contains("value=\"suite\""))
    reader.post("guess=%3Cscript%3E")
    #expect(
      reader.text.contains("Not on this album") && reader.text.contains("value=\"&lt;script&gt;\"")
    )
    reader.post("guess=har&hint=2")
    #expect(reader.text.contains("H······ (L···)") && reader.text.contains("value=\"har\""))
    for guess in ["salt+and+honey", "harbour", "suite+part+one", "suite+part+2"] {
      reader.post("guess=\(guess)")
    }
    #expect(reader.text.contains("5 of 6") && reader.library.library.entries.count == reader.savedEntries)
    reader.post("guess=b+ete+b")
    #expect(reader.text.contains("<h2>6 of 6 in 0:10.</h2>"))
    #expect(reader.text.contains("&lt;b&gt;Été&lt;/b&gt;"))
    #expect(reader.text.contains("🟩🟩🟨🟩🟩🟩"))
    let record = reader.library.library.quizRecord(.tracks, of: "7", digest: reader.tracks.quizAlbum.digest)
    #expect(record.plays == 1 && record.best?.right == 6 && record.weakTracks == [2])
  }

  @Test func `cuts a long guess between two characters`() throws {
    var reader = try QuizReader()
    reader.post("start=tracks")
    reader.post("guess=x" + String(repeating: "%C3%A9", count: 200))
    let page = try #require(String(validating: reader.response.body, as: UTF8.self))
    #expect(page.contains("value=\"x" + String(repeating: "é", count: 149) + "\""))
  }

  @Test func `accepts a guess during typing only when it is complete`() throws {
    var reader = try QuizReader()
    reader.post("start=tracks")
    reader.post("typing=1&guess=paper+lantern")
    #expect(reader.text.contains("0 of 6"))
    reader.post("typing=1&guess=paper+lanterns")
    #expect(reader.text.contains("1 of 6"))
  }

  @Test func `moves a track to where it was dragged`() throws {
    var reader = try QuizReader()
    reader.post("start=order")
    let before = reader.shownOrder
    reader.post("from=0&to=3")
    #expect(reader.shownOrder == [before[1], before[2], before[3], before[0], before[4], before[5]])
    reader.post("from=0&to=99")
    #expect(reader.shownOrder[3] == before[0])
  }

  @Test func `stops the time while it is paused`() throws {
    var reader = try QuizReader()
    reader.post("start=tracks")
    reader.post("do=pause")
    #expect(reader.text.contains("The quiz is paused.") && !reader.text.contains("Track title"))
    reader.now += 100_000
    reader.post("do=resume")
    reader.post("guess=x")
    #expect(reader.text.contains("<p role=\"timer\" aria-label=\"Time\">0:02</p>"))
  }

  @Test func `shows what was missed, and offers practice`() throws {
    var reader = try QuizReader()
    reader.post("start=tracks")
    reader.post("guess=harbour")
    reader.post("do=give-up")
    #expect(reader.text.contains("1 of 6 in 0:02."))
    #expect(reader.text.contains("Paper Lanterns</bdi><span class=\"mark\"> missed</span>"))
    #expect(reader.text.contains("Practice missed tracks (5)"))
    reader.post("start=tracks&practice=1")
    #expect(reader.text.contains("0 of 5") && reader.text.contains("<li class=\"given\"><bdi>Harbour (Live)"))
    reader.post("do=give-up")
    let record = reader.library.library.quizRecord(.tracks, of: "7", digest: reader.tracks.quizAlbum.digest)
    #expect(record.plays == 2 && record.best?.total == 6)
  }

  @Test func `records a play once, however often its last form is sent`() throws {
    var reader = try QuizReader()
    func plays() -> Int {
      reader.library.library.quizRecord(.tracks, of: "7", digest: reader.tracks.quizAlbum.digest).plays
    }
    reader.post("start=tracks")
    reader.post("do=pause")
    reader.now += 5000
    reader.post("do=resume")
    reader.post("guess=harbour")
    let state = try #require(reader.text.firstMatch(of: /name="state" value="([A-Za-z0-9_-]+)"/)?.1)
    let last = Text(string: "state=\(state)&do=give-up")
    reader.respond(.post, last)
    let page = reader.text
    #expect(page.contains("1 of 6 in 0:03.") && plays() == 1)
    reader.now += 60_000
    reader.respond(.post, last)
    #expect(reader.text == page && plays() == 1)
    reader.post("start=tracks")
    reader.post("do=give-up")
    #expect(plays() == 2)
  }

  @Test func `orders tracks with buttons`() throws {
    var reader = try QuizReader()
    reader.post("start=order")
    #expect(reader.text.contains("Move Paper Lanterns up"))
    reader.sort()
    reader.post("judge=1")
    #expect(reader.text.contains("6 of 6 are in their places."))
    #expect(reader.text.contains("<h2>6 of 6 in "))
  }

  @Test func `says when one track is in its place`() throws {
    var reader = try QuizReader()
    reader.post("start=order")
    reader.sort()
    // Only the last stays.
    reader.post("from=0&to=4")
    reader.post("judge=1")
    #expect(reader.text.contains("1 of 6 is in its place."))
  }

  @Test func `marks places only when the order is judged`() throws {
    var reader = try QuizReader()
    reader.post("start=order")
    reader.post("judge=1")
    #expect(reader.text.contains("✗ not here"))
    reader.post("down=0")
    #expect(!reader.text.contains("✗ not here") && !reader.text.contains("✓"))
  }

  @Test(arguments: [QuizKind.next, .albums])
  func `asks one question after another`(kind: QuizKind) throws {
    var reader = try QuizReader()
    reader.post("start=\(kind.word)")
    var asked = 0
    while reader.text.contains("name=\"choice\""), asked < 30 {
      asked += 1
      reader.post("choice=0")
      #expect(reader.text.contains("Right.") || reader.text.contains("No: it is “"))
    }
    #expect(asked == (kind == .next ? 5 : 9))
    #expect(reader.text.contains("of \(asked) in 0:0\(asked)."))
    #expect(reader.text.contains("Result to share"))
  }

  @Test(arguments: [
    "guess=x", "state=", "state=AAAA&guess=x", "state=%00", "start=nothing", "", "state=UVoBAQ",
  ])
  func `says when there is no quiz to resume`(body: String) throws {
    var reader = try QuizReader()
    reader.respond(.post, Text(string: body))
    #expect(reader.response.status == 400)
    #expect(reader.text.contains("role=\"alert\"") && reader.text.contains("Start again."))
    #expect(reader.text.contains("Play: Name the tracks"))
  }

  @Test func `says when the album has changed`() throws {
    var reader = try QuizReader()
    reader.post("start=tracks")
    reader.tracks.titles = ["Other"]
    reader.post("guess=other")
    #expect(reader.response.status == 400 && reader.text.contains("has changed"))
  }

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func `answers any form with a well-formed page`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let fields = [
      "guess=", "guess=suite", "guess=%FF%00", "guess=été", "typing=1", "hint=0", "hint=999999999", "hint=-1",
      "up=0",
      "up=5", "down=5", "from=2", "to=0", "judge=1", "choice=0", "choice=9", "choice=x", "do=pause",
      "do=resume",
      "do=give-up", "do=", "practice=1", "=", "&",
    ]
    var reader = try QuizReader()
    for round in 0..<150 {
      let chosen = (0..<Int.random(in: 1...3, using: &random)).compactMap { _ in
        fields.randomElement(using: &random)
      }
      let isStart = !reader.text.contains("name=\"state\"") || Int.random(in: 0..<8, using: &random) == 0
      let kind = QuizKind.allCases.randomElement(using: &random)?.word.description ?? "tracks"
      reader.post((isStart ? ["start=\(kind)"] + chosen : chosen).joined(separator: "&"))
      #expect(reader.markup.faults == [], "seed \(seed), round \(round)")
      #expect([200, 400].contains(reader.response.status), "seed \(seed), round \(round)")
    }
  }

  @Test func `carries any bytes in a field`() {
    var random = SeededGenerator(seed: 3)
    for length in 0..<60 {
      let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
      let text = Base64.url.encode(bytes[...])
      #expect(FormFields("state=" + text)["state"].flatMap { Base64.url.decode($0) } == bytes)
    }
  }

  @Test func `loads the artist only to offer or ask questions about albums`() throws {
    func needs(_ body: Text) -> Bool { QuizVisit.needsArtist(Request(method: .post, path: "/", body: body)) }
    #expect(QuizVisit.needsArtist(Request(path: "/")))
    #expect(needs("start=albums") && !needs("start=tracks") && !needs("guess=a") && !needs("state=*"))
    for kind in QuizKind.allCases {
      var reader = try QuizReader()
      reader.post("start=\(kind.word)")
      let state = try #require(reader.text.firstMatch(of: /name="state" value="([A-Za-z0-9_-]+)"/)?.1)
      #expect(needs(Text(string: "guess=a&state=\(state)")) == (kind == .albums))
    }
  }

  @Test func `has the album's address`() throws {
    let tracks = AlbumTracks(album: "7", name: "A", artist: .empty, artistName: .empty, titles: [])
    func visit(_ query: Text) -> QuizVisit {
      let request = Request(path: "/albums/7/quiz", query: query)
      return QuizVisit(tracks, in: request, library: Library(), loaded: Loaded())
    }
    let british = visit("country=gb")
    #expect(british.path == "/albums/7/quiz?country=gb" && british.albumPath == "/albums/7?country=gb")
    let plain = visit(.empty)
    #expect(plain.path == "/albums/7/quiz" && plain.albumPath == "/albums/7")
  }
}
