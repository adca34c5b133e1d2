// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import Testing

@testable import LongboxPages

struct RoutingTests {
  @Test(
    arguments: [
      ("/", "", 200, "<h1><bdi>A Title</bdi></h1>"),
      ("/353/", "", 200, "Comic 353: A Title"),
      ("/404/", "", 404, "There is no comic 404"),
      ("/0/", "", 404, "the first comic is number 1"),
      ("/-1/", "", 404, "the first comic is number 1"),
      ("/411/", "", 404, "the latest comic is number 410"),
      ("/18446744073709551617/", "", 404, "the latest comic is number 410"),
      ("/no-such-page", "", 404, "There is no page at this address."),
      ("/353/more", "", 404, "There is no page at this address."),
      ("/1e2/", "", 404, "There is no page at this address."),
      ("/comics", "", 200, #"<a href="/410/">"#),
      ("/comics", "view=grid", 200, #"<ul class="covers""#),
      ("/comics", "view=list", 200, #"class="lines""#),
      ("/comics", "view=tiles", 404, "There is no page at this address."),
      ("/comics", "year=2007", 200, "<h1>Comics of 2007</h1>"),
      ("/comics", "year=1999", 404, "There is no page at this address."),
      ("/comics", "year=x", 404, "There is no page at this address."),
      ("/about", "", 200, "CC BY-NC 2.5"),
      ("/go", "number=", 400, "Type the number of a comic"),
      ("/go", "", 400, "Type the number of a comic"),
      ("/go", "number=abc", 400, "“abc” is not a number."),
      ("/go", "number=0", 404, "the first comic is number 1"),
      ("/go", "number=9999", 404, "the latest comic is number 410"),
    ]
  )
  func `an address has its page`(path: String, query: String, status: Int, content: String) throws {
    let request = Request(path: Text(string: path), query: Text(string: query))
    let response = respond(to: request, archive: try Fixtures.archive(upTo: 410))
    #expect(response.status == status)
    #expect(response.location.isEmpty)
    #expect(response.text.contains(content))
    let manifest = #"<link rel="manifest" crossorigin="use-credentials" href="/manifest.webmanifest">"#
    #expect(response.text.contains(manifest), "a proxy that signs readers in wants its cookie")
    #expect(Markup(response.text).faults == [])
  }

  @Test(
    arguments: [
      ("/353", "", 301, "/353/"), ("/00353/", "", 301, "/353/"), ("//353//", "", 301, "/353/"),
      ("/404", "", 301, "/404/"), ("/go", "number=353", 303, "/353/"), ("/go", "number=+353+", 303, "/353/"),
      ("/go", "number=%23353", 303, "/353/"), ("/go", "number=404", 303, "/404/"),
      ("/archive/", "", 303, "/comics"),
    ]
  )
  func `another spelling redirects to the address`(path: String, query: String, status: Int, location: String)
    throws
  {
    let request = Request(path: Text(string: path), query: Text(string: query))
    let response = respond(to: request, archive: try Fixtures.archive(upTo: 410))
    #expect(response.status == status)
    #expect(response.location == Text(string: location))
    #expect(response.body.isEmpty)
  }

  @Test(
    arguments: [
      ("url=https%3A%2F%2Fxkcd.com%2F353%2F", "/353/"),
      ("text=Look%3A+https%3A%2F%2Fm.xkcd.com%2F353", "/353/"),
      ("text=www.xkcd.com%2F353", "/353/"), ("text=xkcd.com%2F353", "/353/"),
      ("text=(xkcd.com%2F353)", "/353/"), ("text=what-if.xkcd.com%2F7+xkcd.com%2F353", "/353/"),
      ("url=https%3A%2F%2Fwhat-if.xkcd.com%2F7%2F", "/search?q=https%3A%2F%2Fwhat-if.xkcd.com%2F7%2F&deep=0"),
      ("text=team.xkcd.com%2F7", "/search?q=team.xkcd.com%2F7&deep=0"),
      ("text=xkcd.com%2F9999", "/9999/"), ("text=xkcd.com%2F404", "/404/"), ("text=", "/"),
      ("url=HTTPS%3A%2F%2FXKCD.com%2F353", "/353/"),
      ("url=https%3A%2F%2Fwww.explainxkcd.com%2Fwiki%2Findex.php%2F353%3A_Python%23Trivia", "/353/"),
      ("url=https%3A%2F%2Fwww.explainxkcd.com%2F353", "/353/"),
      ("text=explainxkcd.com%2F1000_Comics", "/search?q=explainxkcd.com%2F1000_Comics&deep=0"),
      (
        "url=https%3A%2F%2Fimgs.xkcd.com%2Fcomics%2Fnone.png",
        "/search?q=https%3A%2F%2Fimgs.xkcd.com%2Fcomics%2Fnone.png&deep=0"
      ),
    ]
  )
  func `a shared address of a comic opens it, and other text is searched`(query: String, location: String)
    throws
  {
    let request = Request(path: "/share", query: Text(string: query))
    let response = respond(to: request, archive: try Fixtures.archive(upTo: 410))
    #expect(response.status == 303)
    #expect(response.location == Text(string: location))
  }

  @Test func `random reaches every comic and never 404`() throws {
    let archive = try Fixtures.archive(upTo: 410)
    var met: Set<String> = []
    for random in 0..<409 {
      let response = respond(to: Request(path: "/random", random: UInt64(random)), archive: archive)
      #expect(response.status == 303)
      #expect(response.caching == .never)
      met.insert(response.location.description)
    }
    #expect(met == Set((1...410).filter { $0 != 404 }.map { "/\($0)/" }))
  }

  @Test(arguments: ["/", "/353/", "/404/", "/random", "/go"])
  func `an empty archive says that there is no comic yet`(path: String) throws {
    var host = TestHost(try Archive.empty())
    var library = Replica(device: 1)
    let response = host.respond(to: Request(path: Text(string: path)), library: &library)
    #expect(response.status == 503 && response.serverMayKnowMore)
    #expect(host.asked == [.latest])
    #expect(Markup(response.text).faults == [])
  }

  @Test(arguments: ["", "unread=1", "favorites=1", "view=list"])
  func `the overview of an empty archive says the same`(query: String) throws {
    let request = Request(path: "/comics", query: Text(string: query))
    let page = respond(to: request, archive: try Archive.empty()).text
    #expect(page.contains("No comic is stored yet, and xkcd.com hasn’t answered."))
    #expect(!page.contains("You have read all of these."))
  }

  @Test(
    arguments: [
      (PageContext.Source.reachable, "xkcd.com didn’t send it just now"),
      (.down(since: "21 November 2026, 07:25 UTC"), "has not answered since 21 November 2026, 07:25 UTC"),
    ]
  )
  func `a comic that is not stored is requested`(source: PageContext.Source, sentence: String) throws {
    let number = try #require(Comic.Number(7))
    var writer = SegmentWriter()
    for value in [1, 9] { try writer.append(try Fixtures.comic(value)) }
    let archive = try Archive(Segment(writer.finish(.init(revision: 1))))
    var host = TestHost(archive)
    host.context.source = source
    var library = Replica(device: 1)
    let response = host.respond(to: Request(path: "/7/"), library: &library)
    #expect(response.status == 503 && response.serverMayKnowMore)
    #expect(host.asked == [.comic(number)])
    #expect(response.text.contains(sentence))
    #expect(response.text.contains(#"<a href="https://xkcd.com/7/">"#))
  }

  @Test func `the sample box is marked on every page, and credited only to Longbox`() throws {
    let archive = try Fixtures.archive(upTo: 12, isSampleBox: true)
    for path in ["/", "/3/", "/comics", "/about"] as [Text] {
      let page = respond(to: Request(path: path), archive: archive).text
      #expect(page.contains("<strong>Sample box.</strong>"))
      #expect(!page.contains(#"href="https://xkcd.com/3/""#))
      #expect(page.contains("<footer><p class=\"attribution\">Samples drawn for Longbox."))
    }
  }

  @Test(
    arguments: [
      (1, "1 of 409 pictures is here. More", "2 texts and 1 picture of 409, 1 explanation<"),
      (2, "2 of 409 pictures are here. More", "2 texts and 2 pictures of 409, 2 explanations<"),
    ]
  )
  func `the progress is counted in words`(count: Int, note: String, stored: String) throws {
    let context = PageContext(progress: .init(texts: 2, pictures: count, explanations: count, total: 409))
    let archive = try Fixtures.archive(upTo: 2)
    #expect(respond(to: Request(path: "/comics"), archive: archive, context: context).text.contains(note))
    #expect(respond(to: Request(path: "/about"), archive: archive, context: context).text.contains(stored))
  }

  @Test func `a page names its author and licence`() throws {
    let page = respond(to: Request(path: "/353/"), archive: try Fixtures.archive(upTo: 410))
      .text
    #expect(
      page.contains(
        #"<footer><p class="attribution"><a href="https://xkcd.com/353/">xkcd</a> by Randall Munroe"#
      )
    )
  }
}
