// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import Testing

@testable import LongboxPages

struct ComicPageTests {
  @Test(
    arguments: [
      (1, nil, 2), (2, 1, 3), (403, 402, 405), (405, 403, 406), (409, 408, 410), (410, 409, nil),
    ] as [(Int, Int?, Int?)]
  )
  func `previous and next skip 404, and are nil at the ends`(number: Int, previous: Int?, next: Int?) throws {
    let pager = try Fixtures.page(number, in: Fixtures.archive(upTo: 410)).pager
    #expect(pager.previous?.value == previous)
    #expect(pager.next?.value == next)
    #expect(pager.first?.value == (number == 1 ? nil : 1))
    #expect(pager.latest?.value == (number == 410 ? nil : 410))
  }

  @Test func `a link at an end is disabled, and says why`() throws {
    let page = try Fixtures.page(1, in: Fixtures.archive(upTo: 1)).pager.html.description
    for name in ["First", "Previous", "Next", "Latest"] {
      let reason =
        ["First", "Previous"].contains(name)
        ? "This is the first comic." : "This is the latest comic. Next: Friday."
      let disabled =
        #"<a class="button" role="link" aria-disabled="true" tabindex="0" aria-label="\#(name) comic" title="\#(reason)">"#
      #expect(page.contains(disabled), "\(name)")
    }
    #expect(page.contains(#"<a class="button" href="/random" aria-label="Random comic""#))
    for name in ["First", "Previous", "Random", "Next", "Latest"] {
      #expect(page.contains(#"<span class="aside">\#(name) comic</span></a>"#), "\(name)")
    }
  }

  @Test(
    arguments: [
      (2026, 11, 20, "Monday"), (2026, 11, 23, "Wednesday"), (2026, 11, 25, "Friday"),
      (2026, 11, 24, "Wednesday"),
    ]
  )
  func `the latest comic says when the next one comes`(year: Int, month: Int, day: Int, next: String) throws {
    let archive = try Fixtures.archive(
      upTo: 2,
      changing: [2: { comic in comic.date = CalendarDate(year: year, month: month, day: day) ?? comic.date }]
    )
    let page = try Fixtures.page(2, in: archive).pager.html.description
    #expect(page.contains("This is the latest comic. Next: \(next)."))
    let first = try Fixtures.page(1, in: archive).pager.html.description
    #expect(!first.contains("Next:"))
  }

  @Test func `the alt text has a button, unless the page shows it or there is none`() throws {
    let archive = try Fixtures.archive(upTo: 2, changing: [2: { comic in comic.alt = "" }])
    let shown = try Fixtures.page(1, in: archive).creditControl.description
    #expect(shown.contains(#"type="button" aria-label="Alt text" aria-pressed="false""#))
    #expect(try Fixtures.page(2, in: archive).creditControl.description.isEmpty)
  }

  @Test(
    arguments: [(1, 1, nil), (403, 403, nil), (405, 403, 405), (3282, 403, 405)] as [(Int, Int, Int?)]
  )
  func `the links of 404 lead to existing comics`(latest: Int, previous: Int, next: Int?) throws {
    let latest = try #require(Comic.Number(latest))
    let pager = Pager(fromMissingNumberWithLatest: latest)
    #expect(pager.previous?.value == previous)
    #expect(pager.next?.value == next)
    #expect(pager.first == .first)
    #expect(pager.latest == latest)
  }

  @Test(
    arguments: [
      (518, 588, "plain"), (740, 14_957, "tall"), (400, 801, "tall"), (400, 800, "plain"),
      (123, 49, "plain"), (740, 300, "wide"), (740, 370, "plain"), (1001, 900, "wide"), (500, 249, "wide"),
      (499, 100, "plain"),
    ]
  )
  func `a picture is laid out by its shape, and a wide one scrolls if the reader wants that`(
    width: Int,
    height: Int,
    shape: String
  ) throws {
    let archive = try Fixtures.archive(
      upTo: 1,
      changing: [
        1: { comic in
          comic.picture = PictureFacts(width: width, height: height, byteCount: 1, format: .png)
        }
      ]
    )
    let whole = try Fixtures.page(1, in: archive)
    #expect(whole.shape == (shape == "wide" ? "plain" : Text(string: shape)))
    #expect(!whole.content.description.contains(#"class="backdrop""#))
    var library = Library()
    try library.set(.wideComics, to: .readable, at: Replica(device: 1).editTime(at: 1))
    let reader = Reader(library: library, isRemembered: true, notice: nil)
    let comic = try #require(archive.comic(.first))
    let page = ComicPage(comic, in: archive, reader: reader)
    #expect(page.shape == Text(string: shape))
    let html = page.content.description
    #expect(html.contains(#"class="picture \#(shape) line-art""#))
    #expect(html.contains(#"width="\#(width)" height="\#(height)""#))
    #expect(
      html.contains(#"tabindex="0" role="group" aria-label="Picture, scrolls sideways""#) == (shape == "wide")
    )
    #expect(html.contains(#"<div class="backdrop"><img"#) == (shape == "wide"))
  }

  @Test func `an interactive comic without a picture says so, and links to xkcd`() throws {
    let archive = try Fixtures.archive(
      upTo: 2,
      changing: [
        2: { comic in
          comic.pictureAddress = .empty
          comic.picture = nil
          comic.isInteractive = true
        }
      ]
    )
    let page = try Fixtures.page(2, in: archive)
    #expect(page.picture == .none)
    let html = page.content.description
    #expect(!html.contains("<img"))
    #expect(html.contains("only works on xkcd.com"))
    #expect(html.contains(#"<a href="https://xkcd.com/2/">Open comic 2 on xkcd.com</a>"#))
  }

  @Test(
    arguments: [
      ("Python", true), ("“Quoted” – and so on…", true), ("\u{202E}Backwards", true), ("Clichéd", false),
      ("Ωmega", false), ("漫画", false),
    ]
  )
  func `a title that the lettering can't write is in one face`(title: String, isLettered: Bool) {
    let attribute = isLettered ? "" : #" class="unlettered""#
    #expect(nameHeading(Text(string: title)).description == "<h1\(attribute)><bdi>\(title)</bdi></h1>")
  }

  @Test func `an interactive comic with an empty picture has none, and others keep theirs`() throws {
    let empty = PictureFacts(width: 780, height: 969, byteCount: 227, format: .png)
    for isInteractive in [true, false] {
      let archive = try Fixtures.archive(
        upTo: 2,
        changing: [
          2: { comic in
            comic.picture = empty
            comic.isInteractive = isInteractive
          }
        ]
      )
      #expect(try Fixtures.page(2, in: archive).picture == (isInteractive ? .none : .known(empty)))
    }
  }

  @Test(
    arguments: [
      ("https://xkcd.com/2/large/", .unknown, #"href="/comics/2/larger?v=0000ab12""#),
      ("https://xkcd.com/2_large/", .present, #"href="/comics/2/larger?v=0000ab12""#),
      (
        "https://xkcd.com/2/huge/", .tooLarge,
        "Larger version on xkcd.com, with more pixels than Longbox keeps"
      ),
      ("https://xkcd.com/2/sheet.pdf", .unknown, "Larger version on xkcd.com, a document"),
      ("https://xkcd.com/2/large/", .absent, nil), ("https://xkcd.com/3/large/", .unknown, nil),
      ("", .present, nil),
    ] as [(Text, PictureFacts.Larger, String?)]
  )
  func `offers the larger version that it links to`(
    link: Text,
    larger: PictureFacts.Larger,
    shown: String?
  ) throws {
    let archive = try Fixtures.archive(
      upTo: 2,
      changing: [
        2: { comic in
          comic.link = link
          comic.picture?.larger = larger
        }
      ]
    )
    let html = try Fixtures.page(2, in: archive).content.description
    #expect(html.contains("Larger version") == (shown != nil))
    if let shown { #expect(html.contains(shown)) }
  }

  @Test(arguments: [true, false])
  func `only an interactive comic with its predecessor's picture has a wrong picture`(isInteractive: Bool)
    throws
  {
    let address: Text = "https://imgs.xkcd.com/comics/reviews.png"
    let archive = try Fixtures.archive(
      upTo: 405,
      changing: [
        403: { comic in comic.pictureAddress = address },
        405: { comic in
          comic.pictureAddress = address
          comic.isInteractive = isInteractive
        },
      ]
    )
    let picture = try Fixtures.page(405, in: archive).picture
    #expect((picture == .wrong) == isInteractive)
    #expect(try Fixtures.page(403, in: archive).picture != .wrong)
    let number = try #require(Comic.Number(405))
    let comic = try #require(archive.comic(number))
    #expect(Site().thumbnail(of: comic, in: archive) == (isInteractive ? nil : comic.picture), "its cover")
  }

  @Test func `a picture of unknown size is shown, and requested`() throws {
    let archive = try Fixtures.archive(upTo: 3, changing: [2: { comic in comic.picture = nil }])
    let number = try #require(Comic.Number(2))
    #expect(try Fixtures.page(2, in: archive).content.description.contains(#"<img src="/comics/2/image""#))
    let request = Request(path: "/2/")
    var loaded = Loaded()
    func lacking() -> [Need] {
      needs(of: .comic(number), in: request, archive: archive, library: Library(), loaded: loaded)
    }
    #expect(lacking() == [.picture(number), .explanationLead(number)])
    loaded.insert(.unavailable, for: .picture(number))
    #expect(lacking() == [.explanationLead(number)])
    let resigned = respond(to: request, archive: archive)
    #expect(resigned.status == 200 && resigned.text.contains(#"<img src="/comics/2/image""#))
  }

  @Test(arguments: [PictureFacts.DoubleSize.unknown, .absent, .present])
  func `the double-size picture is offered only where it exists`(
    doubleSize: PictureFacts.DoubleSize
  ) throws {
    let archive = try Fixtures.archive(
      upTo: 1,
      changing: [1: { comic in comic.picture?.doubleSize = doubleSize }]
    )
    let html = try Fixtures.page(1, in: archive).content.description
    let srcset = #"srcset="/comics/1/image?v=0000ab12 1x, /comics/1/image@2x?v=0000ab12 2x""#
    #expect(html.contains(srcset) == (doubleSize == .present))
  }

  @Test func `what a comic lacks leaves nothing empty on the page`() throws {
    let archive = try Fixtures.archive(upTo: 1, changing: [1: { comic in comic.alt = .empty }])
    let html = try Fixtures.page(1, in: archive).content.description
    #expect(!html.contains(#"class="alt""#))
    #expect(!html.contains("transcript"))
    #expect(!html.contains("<dt>Link</dt>"))
  }

  @Test func `the author's news is among the details, with its links`() throws {
    let news = News([
      .init("By <b> "), .init("a guest", address: "https://example.org/?a=1&b=2"), .init(", see\n"),
      .init("this", address: "/1/"), .init(" not "), .init("that", address: "javascript:alert(1)"),
    ])
    let archive = try Fixtures.archive(upTo: 1, changing: [1: { comic in comic.news = news }])
    let html = try Fixtures.page(1, in: archive).content.description
    let rel = #"rel="noopener noreferrer external""#
    #expect(
      html.contains(
        #"<dd class="news">By &lt;b&gt; <a href="https://example.org/?a=1&amp;b=2" \#(rel)>a guest</a>, see"#
          + "\n"
          + #"<a href="/1/">this</a> not that</dd>"#
      )
    )
  }

  @Test func `the picture is described by the transcript`() throws {
    let archive = try Fixtures.archive(upTo: 1, changing: [1: { comic in comic.transcript = "Man: Hm." }])
    let html = try Fixtures.page(1, in: archive).content.description
    #expect(html.contains(#"aria-describedby="transcript""#))
    #expect(
      html.contains(
        #"<div id="transcript" class="transcript"><p class="speech"><strong>Man:</strong> Hm.</p>"#
      )
    )
  }
}

struct TranscriptLineTests {
  @Test(
    arguments: [
      ("[[A man flies.]]", TranscriptLine.scene("A man flies.")),
      ("  [[ A man flies. ]]  ", .scene("A man flies.")),
      ("<<BOOM>>", .sound("BOOM")),
      ("((The panel is empty.))", .plain("The panel is empty.")),
      ("Man: How?", .speech(speaker: "Man", words: "How?")),
      ("Girl #2: Oh: no", .speech(speaker: "Girl #2", words: "Oh: no")),
      ("It is 12:30 now", .plain("It is 12:30 now")),
      ("He said so. Then: nothing", .plain("He said so. Then: nothing")),
      (": nobody speaks", .plain(": nobody speaks")),
      ("Man:", .plain("Man:")),
      ("[[]]", .plain("[[]]")),
      ("[[One]] and [[two]]", .plain("[[One]] and [[two]]")),
      ("[One]", .plain("[One]")),
      (
        "A name that is far too long for anybody to bear: words",
        .plain("A name that is far too long for anybody to bear: words")
      ),
    ]
  )
  func `a line's kind is known by its notation`(line: String, expected: TranscriptLine) {
    #expect(TranscriptLine.lines(of: Text(string: line)) == [expected])
  }

  @Test func `empty lines are left out`() {
    #expect(TranscriptLine.lines(of: "\n\n a \n\t\nb\n") == [.plain("a"), .plain("b")])
    #expect(TranscriptLine.lines(of: .empty).isEmpty)
  }

  @Test func `scenes, speakers and sounds have different markup`() {
    #expect(TranscriptLine.scene("<i>").html.description == #"<p class="scene">&lt;i&gt;</p>"#)
    #expect(
      TranscriptLine.speech(speaker: "A&B", words: "Hi").html.description
        == #"<p class="speech"><strong>A&amp;B:</strong> Hi</p>"#
    )
    #expect(TranscriptLine.sound("POW").html.description == #"<p class="sound">POW</p>"#)
  }
}
